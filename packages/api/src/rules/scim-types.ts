/** Error types of SCIM (RFC 7644, section 3.12). */
export const scimTypes = [
  'invalidFilter',
  'invalidPath',
  'invalidSyntax',
  'invalidValue',
  'mutability',
  'noTarget',
  'tooMany',
  'uniqueness',
] as const
export type ScimType = (typeof scimTypes)[number]
