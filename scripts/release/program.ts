/** Package `steading`: the program with everything that it needs except Node. */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { root } from '../processes.ts'
import { consoleSite, distOf, docsSite, packagesIn } from '../sites.ts'
import { bundleServer, compiled } from './bundle.ts'
import { common, emptyFolder, pack, version, writeJson } from './pack.ts'
import { RUNTIME } from './runtime.ts'
import { billOf, describePackages, noticesOf } from './shipped.ts'

const { name, description, engines } = manifest

/** Packs the program. The console and the documentation have to be built. */
export async function packProgram(target: string): Promise<void> {
  const folder = emptyFolder(name)
  const ofServer = await bundleServer(folder)
  for (const site of [consoleSite, docsSite]) {
    cpSync(distOf(site), join(folder, site.name), { recursive: true })
  }
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(folder, file))
  cpSync(join(root, 'deploy/npm/steading.md'), join(folder, 'README.md'))
  const shipped = describePackages([
    ...ofServer,
    ...packagesIn(consoleSite),
    ...packagesIn(docsSite),
  ])
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(shipped))
  writeJson(join(folder, 'sbom.cdx.json'), billOf({ name, version }, shipped))
  writeJson(join(folder, 'package.json'), {
    name,
    ...common,
    description,
    bin: { steading: 'bin/steading.js' },
    optionalDependencies: { [RUNTIME]: version, ...compiled },
    // The launcher finds a newer one.
    engines,
  })
  await pack(folder, target)
}
