# Installs, uses and removes the Debian packages in /tmp/debs. Runs as root, in a separate root file
# system. The expectations are in release.test.ts, and in `set -e`.
dpkg --install /tmp/debs/steading_*.deb /tmp/debs/steading-node_*.deb
# Debian's packages of real machines are not there.
dpkg --unpack /tmp/debs/steading-machines_*.deb
/usr/lib/steading-node/bin/node -e '
const { createRequire } = require("node:module")
createRequire("/usr/lib/steading/server/main.js")("koffi").load("libc.so.6")'
echo "version $(steading --version)"
echo "machines need: $(dpkg-query --show --showformat '${Depends}' steading-machines)"
test "$(stat -c '%U %a' /var/lib/steading)" = 'steading 700'
test "$(stat -c '%U %G %a' /etc/steading/steading.env)" = 'root steading 640'
echo 'STEADING_PORT=12229' >>/etc/steading/steading.env
steading start &
server=$!
# A remaining server would keep the output open.
trap 'kill $server 2>/dev/null || true' EXIT
node=/usr/lib/steading-node/bin/node
"$node" -e '
const deadline = Date.now() + 120_000
for (;;) {
  try {
    const answer = await fetch("http://127.0.0.1:12229/x/v1/health")
    if (answer.ok) { console.log(await answer.text()); break }
  } catch {}
  if (Date.now() > deadline) throw new Error("the server does not answer")
  await new Promise((resolve) => setTimeout(resolve, 100))
}'
steading doctor
test "$(ps -o user= -p $server)" = steading
kill $server
wait $server
# Real machines do not work without the program.
if dpkg --remove steading 2>/dev/null; then exit 1; fi
dpkg --remove steading-machines steading
grep -q 12229 /etc/steading/steading.env && test -e /var/lib/steading/steading.db && echo 'configuration kept: yes'
dpkg --purge steading steading-node steading-machines
# Definitions of libvirt's machines are the host's own.
left=$(find /etc /usr /var/lib /lib/systemd -xdev -name 'steading*' \
  -not -path '/var/lib/dpkg/*' -not -path '/etc/libvirt/*' 2>/dev/null || true)
getent passwd steading && left="$left user"
echo "left behind: ${left:-none}"
