/** `completion <shell>`: a shell's completion script, generated from the commands. */
import { Argument, type Command } from "commander";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** A command's path of names, and the words that may follow it. */
interface CommandWords {
  path: string;
  words: string[];
}

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("print the completion script of a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      "\nExamples:\n  $ source <(switchboard completion bash)          # in ~/.bashrc\n" +
        "  $ source <(switchboard completion zsh)           # in ~/.zshrc, after compinit\n" +
        "  $ switchboard completion fish > ~/.config/fish/completions/switchboard.fish\n",
    )
    .action((shell: (typeof SHELLS)[number]) => {
      process.stdout.write(scriptFor(shell, commandsOf(program)));
    });
}

/** Returns the command and every command below it. */
export function commandsOf(command: Command, path = ""): CommandWords[] {
  const below = command.commands.flatMap((child) => commandsOf(child, `${path} ${child.name()}`.trim()));
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const words = [...command.commands.map((child) => child.name()), ...choices, ...options, "--help"];
  return [{ path, words }, ...below];
}

/** Returns the shell script. All words are names of commands and options, which need no quoting. */
export function scriptFor(shell: (typeof SHELLS)[number], commands: readonly CommandWords[]): string {
  const cases = commands.map(({ path, words }) => `    "${path}") echo "${words.join(" ")}" ;;`).join("\n");
  const paths = commands.flatMap(({ path }) => (path === "" ? [] : [`"${path}"`])).join("|");
  if (shell === "fish") return fish(commands);
  // The path consists of the leading words that name commands; options and arguments do not end it.
  const common = `_switchboard_words() {
  case "$1" in
${cases}
  esac
}
_switchboard_path() {
  local prefix="" word
  for word in "$@"; do
    case "\${prefix:+$prefix }$word" in
      ${paths}) prefix="\${prefix:+$prefix }$word" ;;
    esac
  done
  echo "$prefix"
}
`;
  if (shell === "bash") {
    return `${common}_switchboard() {
  local words
  words="$(_switchboard_words "$(_switchboard_path "\${COMP_WORDS[@]:1:COMP_CWORD-1}")")"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _switchboard switchboard
`;
  }
  return `${common}_switchboard() {
  local -a candidates
  candidates=(\${=$(_switchboard_words "$(_switchboard_path "\${words[@]:1:$((CURRENT-2))}")")})
  compadd -- $candidates || _files
}
compdef _switchboard switchboard
`;
}

function fish(commands: readonly CommandWords[]): string {
  const cases = commands.map(({ path, words }) => `    case "${path}"\n      echo "${words.join(" ")}"`).join("\n");
  const paths = commands.flatMap(({ path }) => (path === "" ? [] : [`"${path}"`])).join(" ");
  return `function _switchboard_words
  set -l prefix ""
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim "$prefix $word")
    contains -- "$longer" ${paths}; and set prefix "$longer"
  end
  switch "$prefix"
${cases}
  end | string split " "
end
complete -c switchboard -f -a "(_switchboard_words)"
complete -c switchboard -n "__fish_seen_subcommand_from run" -F
`;
}
