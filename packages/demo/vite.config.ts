import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import tailwindcss from '@tailwindcss/vite'
import { browserTargets } from '../console/browser-targets.ts'
import { codeSplitting } from '../console/code-splitting.ts'
import { skeleton } from '../console/early/skeleton.ts'
import { libraryChanges } from '../console/library-changes.ts'
import { cloud } from './build/plugin.ts'
import { PASSWORD } from './src/seed/people.ts'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'

const consoleDirectory = join(import.meta.dirname, '../console')
const publicDirectory = join(consoleDirectory, 'public')

/** SQLite comes with workers that keep databases in files; without them they are not built. */
const onlySqlite: Plugin = {
  name: 'only-sqlite',
  enforce: 'pre',
  transform: {
    filter: { id: /\/sqlite-wasm\/dist\/index\.mjs$/ },
    handler: (code) =>
      code.replaceAll(
        /new URL\("sqlite3-(?:opfs-async-proxy\.js|worker1\.mjs)", import\.meta\.url\)/g,
        'undefined',
      ),
  },
}

/** Preloads files needed by the first paint and the start. */
function preload(file: string): HtmlTagDescriptor | undefined {
  const link = (attrs: Record<string, string>): HtmlTagDescriptor => ({
    tag: 'link',
    attrs: { rel: 'preload', crossorigin: '', href: `/${file}`, ...attrs },
    injectTo: 'head',
  })
  if (file.endsWith('.woff2')) return link({ as: 'font', type: 'font/woff2' })
  if (file.endsWith('.wasm')) return link({ as: 'fetch', type: 'application/wasm' })
  if (file.endsWith('.sqlite3')) return link({ as: 'fetch' })
  if (/\/worker-[^/]*\.js$/.test(file)) return link({ rel: 'modulepreload', as: 'worker' })
  return undefined
}

/** Files of the public folder keep their names, so the page asks for them by content hash. */
function versioned(html: string): string {
  let result = html
  for (const file of readdirSync(join(publicDirectory, 'assets'))) {
    const content = readFileSync(join(publicDirectory, 'assets', file))
    const version = createHash('sha256').update(content).digest('hex').slice(0, 8)
    result = result.replaceAll(`"/assets/${file}"`, `"/assets/${file}?v=${version}"`)
  }
  return result
}

const page: Plugin = {
  name: 'page',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => ({
      html: versioned(html),
      tags: Object.keys(bundle ?? {}).flatMap((file) => preload(file) ?? []),
    }),
  },
}

/** Modules that only the worker needs: the page would compile and run them before its first paint. */
const ofWorker = /\/packages\/(control-plane|simulator)\/src\/|\/node_modules\/zod\//

const smallPage: Plugin = {
  name: 'small-page',
  apply: 'build',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !chunk.isEntry) continue
      const found = Object.keys(chunk.modules).find((id) => ofWorker.test(id))
      if (found) this.error(`The page of the demo begins with ${found}, which is for its worker.`)
    }
  },
}

export default defineConfig({
  root: import.meta.dirname,
  publicDir: publicDirectory,
  plugins: [
    onlySqlite,
    cloud(),
    react(),
    tailwindcss(),
    ...libraryChanges,
    skeleton(),
    page,
    smallPage,
  ],
  define: { 'import.meta.env.VITE_DEMO': JSON.stringify(PASSWORD) },
  worker: { format: 'es', plugins: () => [onlySqlite] },
  optimizeDeps: { exclude: ['@sqlite.org/sqlite-wasm'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    ...browserTargets,
    sourcemap: false,
    rolldownOptions: { output: { codeSplitting } },
  },
})
