import { chromium } from '@playwright/test'
const base = 'http://127.0.0.1:5199'
const b = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})
const pages = process.argv.slice(2)
for (const theme of ['dark', 'light'])
  for (const [w, h] of [
    [1440, 900],
    [390, 844],
  ]) {
    const c = await b.newContext({ viewport: { width: w, height: h }, colorScheme: theme })
    await c.addInitScript(
      (t) =>
        localStorage.setItem(
          'theme-preference',
          JSON.stringify({ state: { theme: t }, version: 0 }),
        ),
      theme,
    )
    const p = await c.newPage()
    p.on('console', (m) => m.type() === 'error' && console.log('console', m.text().slice(0, 200)))
    p.on('pageerror', (e) => console.log('pageerror', e.message))
    await p.request.post(base + '/v1/login/main/local', {
      data: { username: 'admin', password: 'pw' },
    })
    for (const spec of pages) {
      const [name, path] = spec.split('=')
      await p.goto(base + path)
      await p.waitForTimeout(1500)
      await p.screenshot({ path: `/tmp/lead/${name}-${theme}-${w}.png` })
    }
    await c.close()
  }
await b.close()
