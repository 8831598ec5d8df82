#!/bin/sh
# Plays a walk (tests/ui/walks) in a workspace of its own, at a size, and looks on each screen for what must be there.
# usage: walk.sh BANKSHOT WALK WxH FOLDER-FOR-THE-SCREENS
set -eu
bankshot=$(realpath "$1")
walk=$(realpath "$2")
size=$3
mkdir -p "$4"
screens=$(realpath "$4")
lesson=$(basename "$walk")
lesson=${lesson%%-*}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME="$work/state" LC_ALL=C.UTF-8 EDITOR="$work/editor"
unset VISUAL
"$bankshot" init "$work/work" >/dev/null
cd "$work/work"
# The learner's edit: one number in lesson 4; elsewhere all of it.
cat >"$EDITOR" <<END
#!/bin/sh
for last; do :; done
case \$last in
*padding*) sed -i 's/tile\[32\]\[32\];/tile[32][33];/' "\$last" ;;
*) '$bankshot' solution --yes $lesson >"\$last" ;;
esac
END
chmod +x "$EDITOR"

steps() { grep -v '^#' "$walk"; }
script=$(steps | while IFS= read -r step; do
    keys=${step#* | }
    printf '%s<screen %s>' "${keys%% | *}" "$screens/${step%% | *}"
done)
"$bankshot" lab "$lesson" --seed 1 --device sim --theme dark --script "<size $size>$script"

steps | while IFS= read -r step; do
    name=${step%% | *}
    wanted=${step#* | * | }
    while [ -n "$wanted" ]; do
        text=${wanted%% | *}
        # a sentence may go on in the next row
        tr -s '\n ' '  ' <"$screens/$name" | grep -qF -- "$(printf '%s' "$text" | tr -s ' ')" || {
            echo "$walk at $size, $name: no '$text' in"
            cat "$screens/$name"
            exit 1
        }
        [ "$wanted" != "$text" ] && wanted=${wanted#* | } || wanted=
    done
done
