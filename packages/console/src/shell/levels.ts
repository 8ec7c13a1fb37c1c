/** Where the documentation site will be; undefined hides the "Docs" entries. */
export const docsUrl: string | undefined = undefined
