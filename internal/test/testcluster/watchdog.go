package testcluster

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// watchdogScript waits until the process at the other end of its input has ended, for any reason. Then it kills the
// servers that are still listed in the run directory and removes the whole directory.
const watchdogScript = `
trap '' HUP INT TERM
read -r _
: > "$1/run/stopping"
for file in "$1"/run/*.pid; do
	[ -e "$file" ] && read -r pid < "$file" && kill -KILL "-$pid"
done
for attempt in 1 2 3 4 5; do
	rm -rf "$1" && exit 0
	sleep 1
done
exit 1
`

// launchScript starts a server: it writes its process ID, which the server keeps, and its arguments, one on a
// line. It starts nothing once the watchdog has begun to clean up.
const launchScript = `#!/bin/sh
echo $$ > '%[1]s/run/%[2]s.pid' || exit 1
printf '%%s\n' "$@" > '%[1]s/run/%[2]s.args' || exit 1
[ -e '%[1]s/run/stopping' ] && exit 1
exec '%[3]s' "$@"
`

// watchdog is the process that cleans up after this one. A pipe ties it to this process: the kernel
// closes it even when this process is killed, and no child inherits it.
type watchdog struct {
	dir string
	cmd *exec.Cmd
	tie io.Closer
}

// startWatchdog starts the watchdog for dir, in which it creates the directories of servers and logs.
func startWatchdog(dir string) (*watchdog, error) {
	for _, name := range []string{"run", "logs"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command("/bin/sh", "-c", watchdogScript, "watchdog", dir)
	ownProcessGroup(cmd)
	tie, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &watchdog{dir: dir, cmd: cmd, tie: tie}, nil
}

// launcher writes the script that starts a binary under the watchdog and returns its path.
func (w *watchdog) launcher(binary string) (string, error) {
	name := filepath.Base(binary)
	for _, path := range []string{w.dir, binary} {
		if strings.Contains(path, "'") {
			return "", fmt.Errorf("the path %s has a quote in it, which the launcher cannot carry", path)
		}
	}
	path := filepath.Join(w.dir, "run", name)
	script := fmt.Sprintf(launchScript, w.dir, name, binary)
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil { //nolint:gosec // It is a program.
		return "", fmt.Errorf("write the launcher of %s: %w", name, err)
	}
	return path, nil
}

// release ends the watchdog after the servers have ended, and waits until it has removed the directory. The
// watchdog kills a server that is still running.
func (w *watchdog) release() error {
	if err := w.tie.Close(); err != nil {
		return fmt.Errorf("release the watchdog: %w", err)
	}
	if err := w.cmd.Wait(); err != nil {
		return fmt.Errorf("remove %s: %w", w.dir, err)
	}
	return nil
}

// running returns the process of a server that was started with its launcher, and its arguments.
func (w *watchdog) running(name string) (process *os.Process, args []string, err error) {
	if w == nil {
		return nil, nil, fmt.Errorf("find %s: it belongs to another process", name)
	}
	text, err := os.ReadFile(filepath.Join(w.dir, "run", name+".pid"))
	if err != nil {
		return nil, nil, fmt.Errorf("find %s: %w", name, err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, nil, fmt.Errorf("find %s: %w", name, err)
	}
	if text, err = os.ReadFile(filepath.Join(w.dir, "run", name+".args")); err != nil {
		return nil, nil, fmt.Errorf("find the arguments of %s: %w", name, err)
	}
	process, err = os.FindProcess(pid)
	return process, strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), err
}

// forget takes a server that has ended off the watchdog's list.
func (w *watchdog) forget(name string) {
	_ = os.Remove(filepath.Join(w.dir, "run", name+".pid"))
}
