# Completes options, their values and subcommands of the tools by what --help says at that moment.

# _trn_words TOOL [SUBCOMMAND]: one word a line; --option= takes a value, --option=value is one.
_trn_words() {
  "$@" --help 2>/dev/null | awk '
    /^SUBCOMMANDS:/ { listing = 1; next }
    /^OPTIONS:/ { listing = 0 }
    listing && /^  [a-z]+ +- / { print $1 }
    /^ +--?[A-Za-z]/ { option = $1; sub(/[[<].*/, "", option); print option; sub(/=$/, "", option) }
    /^ +=[A-Za-z0-9]/ && option { print option $1 }'
}

_trn_mlir() {
  local line=${COMP_LINE:0:COMP_POINT} word
  local -a subcommand=()
  word=${line##* }
  # Only trn-llm has subcommands, and they come first.
  [[ ${1##*/} = trn-llm && $COMP_CWORD -gt 1 ]] && subcommand=("${COMP_WORDS[1]}")
  COMPREPLY=()
  # Anything else is a file, which -o default completes.
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_trn_words "$1" "${subcommand[@]}")" -- "$word" | grep -vxFe "$word")
  elif [[ ${1##*/} = trn-llm && $COMP_CWORD -eq 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -X '-*' -W "$(_trn_words "$1")" -- "$word")
  fi
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  # The shell cuts words at `=`.
  [[ $word == *=* && $COMP_WORDBREAKS == *=* ]] && COMPREPLY=("${COMPREPLY[@]#"${word%%=*}="}")
  return 0
}
complete -o default -F _trn_mlir \
  trn-compress trn-gen trn-llm trn-lsp-server trn-opt trn-run trn-translate
