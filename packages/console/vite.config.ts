import react from '@vitejs/plugin-react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { browserTargets } from './browser-targets.ts'
import { codeSplitting } from './code-splitting.ts'
import { early } from './early/plugin.ts'
import { skeleton } from './early/skeleton.ts'
import { libraryChanges } from './library-changes.ts'

const api = process.env.STEADING_API ?? 'http://127.0.0.1:12220'

/** The first paint needs both fonts, so the document preloads them. */
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

/**
 * The control plane serves `/login` and handles posts to `/login/…`; the pages below it are the
 * console's.
 */
const loginIsServed = (req: { url?: string; method?: string; headers: { accept?: string } }) =>
  req.method === 'GET' &&
  /^\/(login|device)\/./.test(req.url ?? '') &&
  req.headers.accept?.includes('text/html')
    ? req.url
    : undefined

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFonts, ...libraryChanges, skeleton(), early()],
  resolve: {
    alias: {
      // React itself has had this hook since version 18.
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    ...browserTargets,
    modulePreload: {
      // All browsers of the target support module preloading.
      polyfill: false,
      // The start does not list the files of all pages: the host announces the first page's
      // files, and other pages name their own.
      resolveDependencies: (_file, files, { hostType }) => (hostType === 'js' ? [] : files),
    },
    sourcemap: false,
    rolldownOptions: {
      output: {
        codeSplitting,
      },
    },
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
