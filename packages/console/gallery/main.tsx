import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pageIsDrawn } from '../src/ui/lazy-part.ts'
import { watchMouse } from '../src/ui/mouse-drag.ts'
import { applyLook, readLook } from './look.ts'
import { Gallery } from './gallery.tsx'
import './gallery.css'

applyLook(readLook())
watchMouse()

/** Links of components need a router; in memory, they leave the address alone. */
const router = createRouter({
  routeTree: createRootRoute(),
  history: createMemoryHistory({ initialEntries: ['/projects/storefront/disks'] }),
})

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <RouterContextProvider router={router as never}>
      <Gallery />
    </RouterContextProvider>
  </StrictMode>,
)
pageIsDrawn()
