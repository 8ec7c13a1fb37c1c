/**
 * `npm run demo [-- --port <number> --host <address>]`: builds the demo if it is stale and serves
 * it. Any static file server would do: everything else happens in the browser.
 */
import { consoleContentPolicy, loadSite } from '../packages/node/src/static.ts'
import { serve } from './serve.ts'
import { demoSite, distOf, docsSite, gallerySite, refresh } from './sites.ts'

await serve({ name: 'demo', port: 12_221 }, async () => {
  for (const each of [docsSite, gallerySite, demoSite]) if (!(await refresh(each))) process.exit(1)
  // The demo's database is WebAssembly, which the console's content security policy does not permit.
  const policy = `${consoleContentPolicy}; script-src 'self' 'wasm-unsafe-eval'`
  const site = loadSite(distOf(demoSite), policy)
  return (request) => {
    const path = new URL(request.url).pathname
    if (path.startsWith('/assets/')) return site.asset(path, request)
    return site.file(path, request) ?? site.page(request)
  }
})
