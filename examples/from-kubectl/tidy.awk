# Leaves the arguments that say nothing out of a file that Terraform or OpenTofu has generated. If "terraform query" generated it, the
# resources get names of their objects. It reads the file twice: awk -f tidy.awk generated.tf generated.tf

FNR == 1 { pass++ }

# The import block of a resource follows it, and says which object it is.
pass == 1 && /^  to += / { address = $3 }
pass == 1 && /^    kind += / { kind = $3 }
pass == 1 && /^    name += / { name = $3 }
pass == 1 && /^    namespace += / {
  label = tolower(kind "_" ($3 == "null" ? "" : $3 "_") name)
  gsub(/"/, "", label)
  gsub(/[^a-z0-9_-]/, "_", label)
  while (label in taken) label = label "_"
  taken[label] = 1
  names[address] = label
}
pass == 1 { next }

/^# / || /^  [a-z_]+ += null/ || /^  provider += / || /^  field_manager += "k8sconnect"$/ { next }
/^  yaml_body += / { sub(/ +=/, " =") }
/^resource / && names["k8sconnect_manifest." substr($3, 2, length($3) - 2)] {
  gsub(/"/, "")
  $0 = "resource \"" $2 "\" \"" names[$2 "." $3] "\" {"
}
/^  to += / && $3 in names { $0 = "  to = k8sconnect_manifest." names[$3] }
{ print }
