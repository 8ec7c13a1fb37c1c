import type { NavEntry } from '../src/shell/nav-entry.ts'

/** Facts about a page, found by running its loaders. */
export interface PageReads {
  /** In the router's notation: `$name` is a parameter. */
  path: string
  /** Names of the components of the page and of its parents; each is exported by one module. */
  components: string[]
  /** The reads of its loaders, with `$name` for the parameters of the path. */
  reads: string[]
  /** The same on a control plane without our extensions. */
  plainReads: string[]
  /** The group with its route, a file of `src/route-groups`, unless it is in the start. */
  group?: string
}

/** A page for the script in the head of the document. */
export interface EarlyPage {
  /** In the router's notation: `$name` is a parameter. */
  path: string
  reads: string[]
  /** The reads on a control plane without our extensions, if they differ. */
  plainReads?: string[]
}

/** Facts about the pages that the build derives from their routes. */
export interface RouteFacts {
  pages: PageReads[]
  /** The entries of the sidebar of each frame; the icon is the name of an export of `lucide-react`. */
  nav: Record<string, (Omit<NavEntry, 'icon'> & { icon: string })[]>
}

export interface EarlyPages {
  /** Reads of every page. */
  always: string[]
  pages: EarlyPage[]
  apiVersion: string
  /** Key in local storage: whether the control plane has extensions. */
  extensionsKey: string
}
