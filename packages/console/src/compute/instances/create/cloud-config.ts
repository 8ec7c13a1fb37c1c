/** Loaded on demand: the YAML parser is larger than the form. */
import { userDataRemarks } from '@steading/api/rules'
import { isMap, isNode, LineCounter, parseDocument, visit, type Document } from 'yaml'

/** Both from 1; a column is a UTF-16 code unit. */
export type Place = { line: number; column: number }

/** A probable mistake in user data, for people. */
export type Remark = {
  message: string
  at?: Place
  /** It is about the byte order mark, which can be removed. */
  hasMark?: boolean
}

/** The first alias without an anchor; the parser leaves these to the reader of the values. */
function looseAlias(document: Document): { name: string; offset: number } | undefined {
  const anchors = new Set<string>()
  let found: { name: string; offset: number } | undefined
  visit(document, {
    Alias(_, { source, range }) {
      if (anchors.has(source)) return undefined
      found = { name: source, offset: range?.[0] ?? 0 }
      return visit.BREAK
    },
    Value(_, { anchor }) {
      if (anchor) anchors.add(anchor)
    },
  })
  return found
}

/**
 * The first mistake of a cloud-config: of its syntax, or a document that is no mapping.
 * @param text at most `USER_DATA_MAX` bytes
 */
export function cloudConfigRemark(text: string): Remark | undefined {
  const counter = new LineCounter()
  const remark = (message: string, offset: number): Remark => {
    const { line, col } = counter.linePos(Math.min(offset, text.length))
    return { message, at: { line: Math.max(line, 1), column: Math.max(col, 1) } }
  }
  const document = parseDocument(text, {
    // cloud-init's parser reads this version.
    version: '1.1',
    lineCounter: counter,
    prettyErrors: false,
    // Otherwise a second document is no error.
    logLevel: 'error',
  })
  const [error] = document.errors.toSorted((one, other) => one.pos[0] - other.pos[0])
  if (error) {
    // The parser's own message is that of the overflown stack.
    const isDeep = error.code === 'RESOURCE_EXHAUSTION'
    return remark(isDeep ? userDataRemarks.tooDeep : error.message, error.pos[0])
  }
  const alias = looseAlias(document)
  if (alias) return remark(userDataRemarks.unknownAlias(alias.name), alias.offset)
  const { contents } = document
  // A document of comments only does nothing, but is valid.
  if (contents === null || isMap(contents)) return undefined
  return remark(userDataRemarks.notKeys, isNode(contents) ? (contents.range?.[0] ?? 0) : 0)
}
