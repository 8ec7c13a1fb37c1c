/** Whether a query was refused only because nothing was measured. */
export const meansEmpty = (query: string, message: string): boolean =>
  /^Input tables (?:to a `group_by`|for a join operation) must not be empty/.test(message) ||
  (/\balign\b/.test(query) && message.startsWith('Input tables to a `group_by` must be aligned'))
