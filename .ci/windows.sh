# Building for Windows on Linux and a small run under Wine; sourced by .ci/run. The distribution's own compiler with its library
# source builds the standard library for the target; each missing piece is a counted skip. Figures measured under Wine
# mean nothing; that the program starts, makes a file, does I/O and reports is what is looked at.

windows_packages=(rustc-web cargo-web rust-web-src gcc-mingw-w64-x86-64 wine64 wine)

windows() {
    windows_tools || return 77
    windows_build || return 1
    windows_run
}

# The tools, installed where that is possible.
windows_tools() {
    if ! windows_present && [ "$(id -u)" -eq 0 ] && have apt-get; then
        DEBIAN_FRONTEND=noninteractive timeout 900 apt-get -y -q -o Dpkg::Lock::Timeout=120 \
            install --no-install-recommends "${windows_packages[@]}" || true
    fi
    windows_present || { echo "SKIPPED: no Windows build: one of ${windows_packages[*]} is missing"; return 1; }
}

windows_present() {
    [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && have x86_64-w64-mingw32-gcc &&
        [ -f "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/std/Cargo.toml" ]
}

windows_folder=target/windows/x86_64-pc-windows-gnu/release

windows_build() {
    # Not the toolchain of rust-toolchain.toml: it has no library for the target.
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 timeout 1200 /usr/bin/cargo build --release --bin iogauge \
        -Z build-std=std,panic_abort --target x86_64-pc-windows-gnu --target-dir target/windows
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
    wine=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null) ||
        { echo "SKIPPED: Wine is missing: the Windows build was not run"; return 0; }
    mkdir -p "$folder"
    cp "$windows_folder/iogauge.exe" "$folder/"
    windows_random "$folder"
    cd "$folder"
    export WINEPREFIX=$folder/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
    # The first start makes the prefix, which takes a while.
    timeout 180 "$wine" iogauge.exe diskspd '-?' >usage || { echo "the program does not start under Wine"; return 1; }
    grep -q -- '-b' usage || { cat usage; return 1; }
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
