# embed.awk - turns page.html into C: string literals, one piece up to each place for data.
#
# A line "@include FILE" stands for that file, "@slot NAME" for data: NMC_HTML_NAME of html.h. The
# variable `page` is what the array is called.

function literal(line) {
    gsub(/\\/, "&&", line)
    gsub(/"/, "\\\"", line)
    gsub(/\?/, "\\?", line) # no trigraphs
    printf "\"%s\\n\"\n", line
}

function include(name, line, status) {
    while ((status = (getline line < (folder name))) > 0)
        literal(line)
    if (status < 0) {
        print "embed.awk: cannot read " folder name > "/dev/stderr"
        exit failed = 1
    }
    close(folder name)
}

BEGIN {
    print "#include \"report/html.h\"\n\nconst struct nmc_html_piece " page "[] = {{\"\""
}

FNR == 1 { folder = FILENAME; sub(/[^\/]*$/, "", folder) }
$1 == "@include" { include($2); next }
$1 == "@slot" { print ", NMC_HTML_" $2 "}, {\"\""; next }
{ literal($0) }

END {
    if (!failed)
        print ", NMC_HTML_END}};"
}
