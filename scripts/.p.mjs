import autocannon from 'autocannon'
const B = 'http://127.0.0.1:12444'
const l = await fetch(B + '/v1/login/main/local', {
  method: 'POST',
  body: JSON.stringify({ username: 'admin', password: 'pw' }),
  headers: { 'content-type': 'application/json' },
})
const cookie = l.headers.get('set-cookie').split(';')[0]
const r = await autocannon({
  url: B + process.argv[2],
  connections: 10,
  duration: 5,
  headers: { cookie },
})
console.log(
  process.argv[2],
  r.requests.average,
  'p50',
  r.latency.p50,
  'p99',
  r.latency.p99,
  r.non2xx,
)
