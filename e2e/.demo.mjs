import { chromium } from '@playwright/test'
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
const p = await b.newPage({ viewport: { width: 1440, height: 900 } })
p.on('console', (m) => m.type() === 'error' && console.log('console', m.text().slice(0, 200)))
const t = Date.now()
await p.goto('http://127.0.0.1:12666/projects')
await p.getByRole('link', { name: 'storefront' }).waitFor()
console.log('demo table ms', Date.now() - t)
await p.getByRole('link', { name: 'storefront' }).click()
await p.waitForTimeout(2500)
await p.screenshot({ path: '/tmp/lead/demo.png' })
await p.getByRole('button', { name: 'Learn more' }).click()
await p.waitForTimeout(500)
await p.screenshot({ path: '/tmp/lead/demo2.png' })
await b.close()
