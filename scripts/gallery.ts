/**
 * `npm run gallery [-- --port <number> --host <address>]`: builds the gallery of the design system
 * if it is stale and serves it. With `--update-pictures`, the browser tests replace the pictures
 * that they compare it with.
 */
import { loadSite } from '../packages/node/src/static.ts'
import { run } from './processes.ts'
import { serve } from './serve.ts'
import { distOf, gallerySite, refresh, sites } from './sites.ts'

const PATH = '/gallery/'

if (process.argv.includes('--update-pictures')) {
  for (const each of sites) if (!(await refresh(each))) process.exit(1)
  const test = ['test', '--config=e2e', 'gallery.spec', '--update-snapshots']
  const env = { STEADING_CHROMIUM: 'packaged', STEADING_LONG_TESTS: '1' }
  process.exit(await run('playwright', test, env))
}
await serve({ name: 'gallery', port: 12_222, path: PATH }, async () => {
  if (!(await refresh(gallerySite))) process.exit(1)
  const site = loadSite(distOf(gallerySite))
  return (request) => {
    const { pathname } = new URL(request.url)
    const inside = pathname.startsWith(PATH) ? pathname.slice(PATH.length - 1) : '/'
    return site.file(inside, request) ?? new Response('Not found', { status: 404 })
  }
})
