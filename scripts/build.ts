/**
 * `npm run build [-- console|demo|docs|gallery]`: generated files of the contract, and the browser parts.
 */
import { join } from 'node:path'
import { root, run } from './processes.ts'
import { buildSite, exists, sites } from './sites.ts'

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !sites.some((site) => site.name === name))
if (unknown !== undefined) {
  console.error(`There is nothing to build called "${unknown}".`)
  process.exit(2)
}

if ((await run(process.execPath, [join(root, 'packages/api/scripts/generate.ts')])) !== 0) {
  process.exit(1)
}
for (const site of sites.filter(exists)) {
  if (wanted.length > 0 && !wanted.includes(site.name)) continue
  const began = performance.now()
  await buildSite(site)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`Built the ${site.name} in ${seconds} s.`)
}
