/** Levels of the console that have pages. Adding 'system' shows the picker and "Manage system". */
const levels: readonly ('silo' | 'system')[] = ['silo']
export const hasSystemLevel = levels.includes('system')

/** Where the documentation site will be; undefined hides the "Docs" entries. */
export const docsUrl: string | undefined = undefined
