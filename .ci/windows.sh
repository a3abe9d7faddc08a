# Building for Windows on Linux and a small run under Wine; sourced by .ci/run. The distribution's own compiler with its library
# source builds the standard library for the target; each missing piece is a counted skip. Figures measured under Wine
# mean nothing; that the program starts, makes a file, does I/O and reports is what is looked at.

windows_packages=(rustc-web cargo-web rust-web-src gcc-mingw-w64-x86-64)

windows() {
    windows_tools || return 77
    windows_fetch || return 77
    windows_build || return 1
    windows_run
}

# The tools, installed where that is possible; Wine apart, since a build is worth something without it.
windows_tools() {
    windows_present || windows_install "${windows_packages[@]}"
    windows_wine >/dev/null || windows_install wine64
    windows_present || { echo "SKIPPED: no Windows build: one of ${windows_packages[*]} is missing"; return 1; }
}

windows_install() {
    [ "$(id -u)" -eq 0 ] && have apt-get || return 0
    DEBIAN_FRONTEND=noninteractive timeout 600 apt-get -y -q -o Dpkg::Lock::Timeout=120 -o Acquire::Retries=2 \
        install --no-install-recommends "$@" || true
}

windows_wine() { command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null; }

windows_present() {
    [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && have x86_64-w64-mingw32-gcc &&
        [ -f "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/std/Cargo.toml" ]
}

windows_folder=target/windows/x86_64-pc-windows-gnu/release

# The distribution's cargo and compiler, not the toolchain of rust-toolchain.toml, which has no library for the target.
windows_cargo() {
    local bound=$1 command=$2
    shift 2
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$root/target/windows timeout "$bound" \
        /usr/bin/cargo "$command" -Z build-std=std,panic_abort --target x86_64-pc-windows-gnu "$@"
}

# What the library's source is built from comes from the registry: without it there is nothing to be judged.
windows_fetch() {
    windows_cargo 300 fetch || { echo "SKIPPED: no Windows build: the crates of the standard library cannot be fetched"; return 1; }
}

windows_build() {
    windows_cargo 1200 build --release --bin iogauge
    [ -f "$windows_folder/iogauge.exe" ]
}

# Older Wines lack bcryptprimitives.dll, which Rust's standard library imports for random seeds.
windows_random() {
    cat >"$1/random.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return SystemFunction036(data, (ULONG)length);
}
C
    x86_64-w64-mingw32-gcc -shared -o "$1/bcryptprimitives.dll" "$1/random.c" -ladvapi32
    rm "$1/random.c"
}

windows_run() {
    local wine folder=$scratch/wine
    wine=$(windows_wine) ||
        { echo "SKIPPED: Wine is missing: the Windows build was not run"; return 0; }
    mkdir -p "$folder"
    cp "$windows_folder/iogauge.exe" "$folder/"
    windows_random "$folder"
    cd "$folder"
    export WINEPREFIX=$folder/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
    # The first start makes the prefix, which takes a while.
    timeout 180 "$wine" iogauge.exe --version >version || { echo "the program does not start under Wine"; return 1; }
    grep -q '^iogauge [0-9]' version || { cat version; return 1; }
    timeout 60 "$wine" iogauge.exe explain -- diskspd -b4K -c1M x.dat >explained || { cat explained; return 1; }
    grep -q 'x.dat: 1,048,576 bytes' explained || { cat explained; return 1; }
    [ ! -e x.dat ] || { echo "explain has made a file"; return 1; }
    timeout 120 "$wine" iogauge.exe diskspd -c4M -b4K -r -w40 -t2 -o1 -d1 -W0 -L '.\w.dat' >report || { cat report; return 1; }
    cat report
    grep -q 'Total latency distribution:' report || return 1
    [ "$(stat -c %s w.dat)" -eq $((4 << 20)) ] || { echo "w.dat has not the size asked for"; return 1; }
    # I/O was done: the total is not zero.
    awk -F'|' '/^total:/ { ios = $2 + 0; exit } END { exit !(ios > 0) }' report
}

# Ends the Wine server of our own prefix, and no other.
windows_leave() {
    local prefix=$scratch/wine/prefix
    [ -d "$prefix" ] || return 0
    WINEPREFIX=$prefix timeout 30 wineserver -k 2>/dev/null || WINEPREFIX=$prefix timeout 30 /usr/lib/wine/wineserver64 -k 2>/dev/null || true
}
