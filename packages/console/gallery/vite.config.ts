import react from '@vitejs/plugin-react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { browserTargets } from '../browser-targets.ts'

/** A build of its own, so that neither code nor styles of the gallery reach the console. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/gallery/',
  publicDir: false,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    ...browserTargets,
    sourcemap: false,
  },
})
