/** Options of the search index: for the pages, and for the tests of what is found. */
export const indexOptions = {
  fields: ['title', 'page', 'text'],
  storeFields: ['url', 'page', 'title'],
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
    // Instructions are searched more often than API types.
    boostDocument: (id, term, { url }) => (url.startsWith('api') ? 0.4 : 1),
  },
}
