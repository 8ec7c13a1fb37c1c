import react from '@vitejs/plugin-react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { chunks, isOfLayer } from './chunks.ts'
import { operations } from './operations.ts'

const api = process.env.STEADING_API ?? 'http://127.0.0.1:12220'

/** The two fonts are needed for the first paint, so the document asks for them at once. */
const preloadFonts: Plugin = {
  name: 'preload-fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => file.endsWith('.woff2'))
        .map((file) => ({
          tag: 'link',
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            crossorigin: '',
            href: `/${file}`,
          },
          injectTo: 'head',
        })),
  },
}

/** The control plane answers `/login` itself and posts to `/login/…`; the pages below it are ours. */
const loginIsServed = (req: { url?: string; method?: string; headers: { accept?: string } }) =>
  req.method === 'GET' &&
  /^\/(login|device)\/./.test(req.url ?? '') &&
  req.headers.accept?.includes('text/html')
    ? req.url
    : undefined

const isStart = (file: string) => /\/index-[^/]+\.js$/.test(file)

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFonts, operations(), chunks()],
  resolve: {
    alias: {
      // React has had this hook since version 18.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: {
      // Every browser of the target preloads modules by itself.
      polyfill: false,
      // The start names only the large files that dialogs need. The host names those of the first
      // page, and what another page needs is found in its file.
      resolveDependencies: (_file, files, { hostId }) =>
        isStart(hostId) ? files.filter(isOfLayer) : files,
    },
    sourcemap: false,
  },
  server: {
    proxy: {
      '/v1': { target: api, ws: true },
      '/x': { target: api, ws: true },
      '/docs': { target: api },
      '/login': { target: api, bypass: loginIsServed },
      '/device': { target: api, bypass: loginIsServed },
    },
  },
})
