# Owns the folder of one cluster: makes it, waits until its standard input ends, which happens when the process that
# started it closes the pipe or dies in any way, then stops whatever runs in the folder and removes it.
# Argument: the folder.

folder=$1
name=${folder##*/}
gone=$folder.gone

trap '' HUP INT TERM PIPE
umask 077
mkdir "$folder" "$folder/run" || exit 1
echo ready
cat >/dev/null

# A zombie does not count: in a container nobody may be there to reap it.
alive() {
  kill -0 "$1" 2>/dev/null || return 1
  [ -r "/proc/$1/stat" ] || return 0
  case $(cat "/proc/$1/stat" 2>/dev/null) in *') Z '*) return 1 ;; esac
}

# Processes of the server whose title carries our cluster_name; finds those that outlived their postmaster.
titled() {
  if [ -r /proc/self/cmdline ]; then
    grep -al "^postgres: $name: " /proc/[0-9]*/cmdline 2>/dev/null | sed 's|^/proc/||; s|/.*||'
  else
    ps -A -o pid= -o args= | sed -n "s|^ *\([0-9]*\) postgres: $name: .*|\1|p"
  fi
}

# A process announces itself by making run/<role>.<pid> before it becomes the program (guarded-process.ts). After this
# rename it can no longer do so, and then does not start: none is overlooked between the look and the removal.
mv "$folder" "$gone"
cd "$gone" || exit 1

for entry in run/*.*; do
  pid=${entry##*.}
  case $entry in
    run/postgres.[0-9]*)
      # Immediate shutdown: the postmaster ends its children and gives its shared memory back.
      kill -QUIT "$pid" 2>/dev/null
      tries=200
      while alive "$pid" && [ $tries -gt 0 ]; do
        sleep 0.05
        tries=$((tries - 1))
      done
      kill -KILL -- "-$pid" 2>/dev/null
      ;;
    run/*.[0-9]*) kill -KILL -- "-$pid" 2>/dev/null ;;
  esac
done

for pid in $(titled); do kill -KILL "$pid" 2>/dev/null; done

# A server that was killed outright, as by a crash test, leaves a System V segment named on line 7 of this file.
if [ -f data/postmaster.pid ]; then
  segment=$(sed -n '7s/^ *[0-9]* *\([0-9]*\).*/\1/p' data/postmaster.pid)
  [ -n "$segment" ] && ipcrm -m "$segment" 2>/dev/null
fi

cd /
tries=50
# A process that is still dying may add a file while we remove.
until rm -rf "$gone" 2>/dev/null; do
  tries=$((tries - 1))
  [ $tries -gt 0 ] || exit 1
  sleep 0.1
done
