const B = 'http://127.0.0.1:12555'
const l = await fetch(B + '/v1/login/main/local', {
  method: 'POST',
  body: JSON.stringify({ username: 'admin', password: 'pw' }),
  headers: { 'content-type': 'application/json' },
})
const cookie = l.headers.get('set-cookie').split(';')[0]
const H = { cookie, 'content-type': 'application/json' }
const post = async (p, b) => {
  const r = await fetch(B + p, {
    method: 'POST',
    headers: H,
    body: b ? JSON.stringify(b) : undefined,
  })
  if (r.status >= 300) console.log(p, r.status, await r.text())
  else return r.json()
}
for (const n of ['storefront', 'data-platform', 'ci-runners'])
  await post('/v1/projects', {
    name: n,
    description: n === 'storefront' ? 'Customer-facing shop, checkout and search' : '',
  })
const imgs = (await (await fetch(B + '/v1/images', { headers: H })).json()).items
const names = [
  'web-01',
  'web-02',
  'web-03',
  'checkout-api',
  'search-indexer',
  'postgres-primary',
  'postgres-replica-1',
  'redis-cache',
  'queue-worker-a',
  'queue-worker-b',
  'mail-relay',
  'bastion',
  'metrics',
  'a-very-long-instance-name-that-somebody-thought-was-a-good-idea',
]
for (const [i, n] of names.entries())
  await post('/v1/instances?project=storefront', {
    name: n,
    description: 'Instance ' + n,
    ncpus: [2, 4, 8, 16][i % 4],
    memory: [8, 16, 32, 64][i % 4] * 2 ** 30,
    hostname: n,
    start: i % 3 !== 2,
    external_ips: i % 4 === 0 ? [{ type: 'ephemeral' }] : [],
    boot_disk: {
      type: 'create',
      name: n.slice(0, 50) + '-boot',
      description: 'Boot disk',
      size: (10 + i * 10) * 2 ** 30,
      disk_backend: {
        type: 'distributed',
        disk_source: { type: 'image', image_id: imgs[i % 2].id },
      },
    },
    disks:
      i % 4 === 1
        ? [
            {
              type: 'create',
              name: n + '-data',
              description: 'Data',
              size: 100 * 2 ** 30,
              disk_backend: {
                type: 'distributed',
                disk_source: { type: 'blank', block_size: 4096 },
              },
            },
          ]
        : [],
  })
await post('/v1/me/ssh-keys', {
  name: 'laptop',
  description: 'Work laptop',
  public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me@laptop',
})
