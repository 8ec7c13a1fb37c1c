/** The facts about a page that the build finds by running its loaders. */
export interface PageReads {
  /** In the spelling of the router: `$name` is a parameter. */
  path: string
  /** Names of the components of the page and of its parents; each is exported by one module. */
  components: string[]
  /** The reads of its loaders, with `$name` for the parameters of the path. */
  reads: string[]
  /** The same on a control plane without our extensions. */
  plainReads: string[]
}

/** A page, as the script in the head of the document knows it. */
export interface EarlyPage {
  /** In the spelling of the router: `$name` is a parameter. */
  path: string
  reads: string[]
  /** The reads on a control plane without our extensions, if they differ. */
  plainReads?: string[]
}

export interface EarlyPages {
  /** Reads of every page. */
  always: string[]
  pages: EarlyPage[]
  apiVersion: string
  /** Key of the local storage under which it is remembered whether the control plane has extensions. */
  extensionsKey: string
}
