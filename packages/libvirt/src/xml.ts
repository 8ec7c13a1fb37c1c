/** Writes XML. */

/** A piece of XML that is complete and escaped. */
export interface Xml {
  readonly xml: string
}

const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // As themselves they would become spaces in attributes, or a line break in a text.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Characters that XML 1.0 cannot express, even escaped. */
// oxlint-disable-next-line no-control-regex
const inexpressible = /[\0-\x08\v\f\x0E-\x1F\uFFFE\uFFFF]/g

/** A text as content or in quotes; characters that XML cannot express are replaced by U+FFFD. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(inexpressible, '\uFFFD')
    .replaceAll(/[&<>"'\t\n\r]/g, (character) => references[character]!)

/** The text that was escaped. */
export const unescapeXml = (xml: string): string =>
  Object.entries(references)
    .toReversed()
    .reduce((text, [character, reference]) => text.replaceAll(reference, character), xml)

export type Content = Xml | string | number | undefined | readonly Content[]

const written = (content: Content): string => {
  if (content === undefined) return ''
  if (typeof content === 'string' || typeof content === 'number') return escapeXml(String(content))
  return 'xml' in content ? content.xml : content.map(written).join('')
}

/** An element; attributes and contents that are undefined are left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>> = {},
  ...contents: Content[]
): Xml {
  const inTag = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join('')
  const inside = contents.map(written).join('')
  return { xml: inside === '' ? `<${name}${inTag}/>` : `<${name}${inTag}>${inside}</${name}>` }
}
