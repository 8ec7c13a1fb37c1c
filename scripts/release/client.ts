/** Package `@steading/client`: the API client, its types, and the API document. */
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../processes.ts'
import { common, emptyFolder, pack, succeed, writeJson } from './pack.ts'

const api = join(root, 'packages/api')

/** TypeScript rewrites import paths in JavaScript only. */
function nameJavaScript(folder: string): void {
  for (const file of globSync(join(folder, '**/*.d.ts'))) {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
}

export async function packClient(target: string): Promise<void> {
  const folder = emptyFolder('client')
  const options = {
    outDir: folder,
    rootDir: join(api, 'src'),
    target: 'es2024',
    module: 'nodenext',
    lib: 'ES2024,DOM,DOM.Iterable',
    types: '',
  }
  await succeed(
    'tsc',
    join(api, 'src/client/index.ts'),
    '--ignoreConfig',
    '--declaration',
    '--rewriteRelativeImportExtensions',
    '--skipLibCheck',
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  )
  nameJavaScript(folder)
  cpSync(join(api, 'openapi.json'), join(folder, 'openapi.json'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(root, 'deploy/npm/client.md'), join(folder, 'README.md'))
  writeJson(join(folder, 'package.json'), {
    name: '@steading/client',
    ...common,
    description: 'Typed client of the Steading API',
    sideEffects: false,
    exports: {
      '.': { types: './client/index.d.ts', default: './client/index.js' },
      './openapi.json': './openapi.json',
    },
    engines: { node: '>=20' },
  })
  await pack(folder, target)
}
