#!/usr/bin/env bash
# Tests the completion of bash, zsh and fish, as far as they are installed: completion_test.sh PROGRAM WORK
set -euo pipefail
work=$(realpath -m "$2") program=$(realpath "$1")
rm -rf "$work"
mkdir -p "$work/bin"
ln -s "$program" "$work/bin/sextant"
export PATH=$work/bin:$PATH LC_ALL=C.UTF-8
cd "$work"  # this folder has no file with a completed name
for shell in bash zsh fish; do sextant completion $shell >"$work/$shell"; done
commands=$(sextant --help | sed -n 's/^  \([a-z]\+\) .*/\1/p')
fail() { echo "$*"; exit 1; }
[ "$(wc -w <<<"$commands")" -ge 15 ] || fail "--help lists few subcommands: $commands"

options_of() { sextant "$1" --help-all | grep -oE '^  (-[a-z],)?--?[a-z-]+' | tr -d ' ' | tr ',' '\n' | sort; }

# For each line in `lines`, the words offered as completion are in `offers`; `-` stands for file names.
lines=("sextant ru" "sextant run -k tria" "sextant run -k copy,tria" "sextant run --kernels=tria" "sextant run --cache w"
       "sextant completion z" "sextant list ceil" "sextant show --by ver")
offers=(run triad copy,triad triad warm zsh ceilings verdict)

in_bash() {
  bash --norc -c '
    source "$1"
    COMP_LINE=$2; line=${2//=/ = }  # as readline does
    read -ra COMP_WORDS <<<"$line"
    [[ $2 != *" " ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _sextant
    printf "%s\n" "${COMPREPLY[@]}"' - "$work/bash" "$1"
}
in_fish() { fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$work/fish" "$1" | cut -f1 | sed 's/^--kernels=//'; }

# check_offers SHELL: checks the completion of each line and of each command's options.
check_offers() {
  local i command offered
  for i in "${!lines[@]}"; do
    offered=$("in_$1" "${lines[i]}")
    [ "$offered" = "${offers[i]}" ] || fail "$1 completes \`${lines[i]}\` by \`$offered\`"
  done
  for command in $commands; do
    offered=$("in_$1" "sextant $command -" | sort)
    [ "$offered" = "$(options_of "$command")" ] || fail "$1 completes options of $command by $offered"
  done
}

check_offers bash
shells=bash
if command -v fish >/dev/null; then
  export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work
  check_offers fish
  shells+=", fish"
fi

if command -v zsh >/dev/null; then
  mkdir -p "$work/functions"
  cp "$work/zsh" "$work/functions/_sextant"
  # A shell on its own terminal receives a tab key. A widget returns the completed line.
  cat >"$work/ask.zsh" <<'ASK'
zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell "PS1= PS2=; fpath=($1/functions \$fpath); autoload -Uz compinit; compinit -u -d $1/dump; say() { print -r -- \$BUFFER >$1/said; zle kill-whole-line }; zle -N say; bindkey '^X' say; unsetopt beep; print ready >$1/ready"
repeat 100; do [[ -s $1/ready ]] && break; sleep 0.1; done
for line in ${@[2,-1]}; do
  rm -f $1/said
  zpty -w -n shell "$line"$'\t\x18'
  repeat 100; do [[ -s $1/said ]] && break; sleep 0.1; zpty -r -t shell ignored; done
  print -r -- "$(<$1/said)"
done
zpty -d shell
ASK
  mapfile -t completed < <(zsh -f "$work/ask.zsh" "$work" "${lines[@]}")
  for i in "${!lines[@]}"; do
    line=${completed[i]%[ ,]}  # zsh removes a comma if a space follows
    [[ " ${line//=/ }" = *" ${offers[i]}" ]] || fail "zsh completes \`${lines[i]}\` to \`${completed[i]}\`"
  done
  for command in $commands; do
    for option in $(options_of "$command"); do
      grep -qE -- "^ +'\*$option(=?\[|$)" <(sed -n "/^    $command)/,/;;/p" "$work/zsh") || fail "zsh knows no $option of $command"
    done
  done
  shells+=", zsh"
fi
echo "completed by $shells"
