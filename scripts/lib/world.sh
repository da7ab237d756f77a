# Run by scripts/lib/cluster.sh as the first process of a machine, in namespaces of its own: shut all but some folders out.
# usage: sh world.sh NAME ADDRESS ROOT USER OWN PATH…   (OWN may be written by USER, each PATH be read)
set -eu
umask 022
name=$1 address=$2 root=$3 user=$4 own=$5; shift 5
hostname "$name" 2>/dev/null || echo "$name" >/proc/sys/kernel/hostname
mount --make-rprivate /
mount -t tmpfs -o mode=755 world "$root"
seen() {
    if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root$(dirname "$1")" && touch "$root$1"; fi
    mount --bind "$1" "$root$1"
}
mkdir -p "$root/etc" "$root/proc" "$root/dev/shm" "$root/tmp"
mount -t tmpfs -o mode=1777 tmp "$root/tmp"
mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
for folder in /usr "$@"; do
    case $folder in /usr/*) continue ;; esac
    seen "$folder" && mount -o remount,bind,ro "$root$folder"
done
for link in /bin /sbin /lib /lib64; do [ ! -L "$link" ] || cp -a "$link" "$root"; done
for file in alternatives ld.so.cache ssl java-17-openjdk; do [ ! -e "/etc/$file" ] || cp -a "/etc/$file" "$root/etc"; done
echo "otclog:x:$user:$user::$own:/bin/sh" >"$root/etc/passwd"
printf '127.0.0.1 localhost\n%s %s\n' "$address" "$name" >"$root/etc/hosts"
for device in null zero random urandom; do touch "$root/dev/$device" && mount --bind "/dev/$device" "$root/dev/$device"; done
ln -s /proc/self/fd "$root/dev/fd"
seen "$own"
mount -t proc proc "$root/proc"
touch "$own/.ready"
exec chroot "$root" sleep infinity
