/* neuromc completion SHELL: scripts made from the tables of commands and options. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static bool takes(int command, int option) {
    return cli_options[option].commands >> command & 1;
}

static void bash(void) {
    puts("# bash completion for neuromc\n"
         "_neuromc() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options=\n"
         "  if ((COMP_CWORD == 1)); then");
    fputs("    COMPREPLY=($(compgen -W '", stdout);
    for (int c = 0; c < CLI_COMMANDS; c++)
        printf("%s%s", c ? " " : "", cli_commands[c].name);
    puts("' -- \"$word\"))\n    return\n  fi\n  case $previous in\n"
         "    --format|-f) COMPREPLY=($(compgen -W 'text json csv folded md latex pprof html yaml' "
         "-- \"$word\")); "
         "return ;;\n"
         "    --color) COMPREPLY=($(compgen -W 'auto always never' -- \"$word\")); return ;;\n"
         "    --preset|-p) COMPREPLY=($(compgen -f -W \"$(neuromc presets 2>/dev/null | cut -d' ' "
         "-f1)\" -- \"$word\")); return ;;\n  esac\n  case ${COMP_WORDS[1]} in");
    for (int c = 0; c < CLI_COMMANDS; c++) {
        printf("    %s) options='", cli_commands[c].name);
        for (int o = 0; o < CLI_OPTIONS; o++)
            if (takes(c, o))
                printf("--%s ", cli_options[o].name);
        puts("' ;;");
    }
    puts("  esac\n"
         "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  else COMPREPLY=($(compgen -f -- \"$word\")); fi\n"
         "}\ncomplete -o filenames -F _neuromc neuromc");
}

/* Single quotes and colons have a meaning in zsh's descriptions. */
static void put_zsh(const char *text) {
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            putchar('\\');
        if (*text == '\'')
            fputs("'\\'", stdout);
        putchar(*text);
    }
}

static void zsh(void) {
    puts("#compdef neuromc\n_neuromc() {\n  local -a commands\n  commands=(");
    for (int c = 0; c < CLI_COMMANDS; c++) {
        printf("    '%s:", cli_commands[c].name);
        put_zsh(cli_commands[c].summary);
        puts("'");
    }
    puts("  )\n  if ((CURRENT == 2)); then _describe command commands; return; fi\n"
         "  case $words[2] in");
    for (int c = 0; c < CLI_COMMANDS; c++) {
        printf("    %s) _arguments", cli_commands[c].name);
        for (int o = 0; o < CLI_OPTIONS; o++) {
            if (!takes(c, o))
                continue;
            printf(" \\\n      '--%s[", cli_options[o].name);
            put_zsh(cli_options[o].help);
            printf("]%s%s'", cli_options[o].argument ? ":" : "",
                   cli_options[o].argument ? cli_options[o].argument : "");
        }
        puts(" \\\n      '*:file:_files' ;;");
    }
    puts("  esac\n}\n_neuromc \"$@\"");
}

static void put_fish(const char *text) {
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
}

static void fish(void) {
    puts("# fish completion for neuromc");
    for (int c = 0; c < CLI_COMMANDS; c++) {
        printf("complete -c neuromc -n __fish_use_subcommand -a %s -d '", cli_commands[c].name);
        put_fish(cli_commands[c].summary);
        puts("'");
    }
    for (int c = 0; c < CLI_COMMANDS; c++)
        for (int o = 0; o < CLI_OPTIONS; o++) {
            if (!takes(c, o))
                continue;
            printf("complete -c neuromc -n '__fish_seen_subcommand_from %s' -l %s",
                   cli_commands[c].name, cli_options[o].name);
            if (cli_options[o].letter)
                printf(" -s %c", cli_options[o].letter);
            printf("%s -d '", cli_options[o].argument ? " -r" : "");
            put_fish(cli_options[o].help);
            puts("'");
        }
}

neuromc_status cli_completion(const struct cli_args *args) {
    const char *shell = args->operand_count == 1 ? args->operands[0] : "";
    if (strcmp(shell, "bash") == 0)
        bash();
    else if (strcmp(shell, "zsh") == 0)
        zsh();
    else if (strcmp(shell, "fish") == 0)
        fish();
    else
        return cli_usage("neuromc completion bash", "completion takes bash, zsh or fish");
    return NEUROMC_OK;
}
