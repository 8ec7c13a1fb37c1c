/** Untrusted XML: parsed strictly, bounded, and without features that SAML does not need. */
import { SAML_ATTRIBUTES_MAX, SAML_DEPTH_MAX, SAML_PREFIXES_MAX } from '@steading/api/rules'
import { DOMParser } from '@xmldom/xmldom'

/** Reason that a text is refused as XML. */
export class XmlError extends Error {}

export const namespaces = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const
type Namespace = keyof typeof namespaces

const TEXT = 3
const CDATA = 4
const INSTRUCTION = 7
const COMMENT = 8
const ELEMENT = 1

const isElement = (node: Node): node is Element => node.nodeType === ELEMENT

const nodesIn = (parent: Node): Node[] => {
  const nodes: Node[] = []
  for (let node = parent.firstChild; node; node = node.nextSibling) nodes.push(node)
  return nodes
}

export const childElements = (parent: Node): Element[] => nodesIn(parent).filter(isElement)

export const isNamed = (element: Element, namespace: Namespace, name: string): boolean =>
  element.localName === name && element.namespaceURI === namespaces[namespace]

/** Child elements with a given name. */
export const children = (parent: Element, namespace: Namespace, name: string): Element[] =>
  childElements(parent).filter((child) => isNamed(child, namespace, name))

/** An element and all its descendants. */
export function* elementsOf(root: Element): Generator<Element> {
  const waiting = [root]
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    yield element
    waiting.push(...childElements(element).toReversed())
  }
}

/** Text of an element; undefined if it contains anything else. */
export function textOf(element: Element): string | undefined {
  const nodes = nodesIn(element)
  if (!nodes.every(({ nodeType }) => nodeType === TEXT || nodeType === CDATA)) return undefined
  return nodes.map(({ nodeValue }) => nodeValue ?? '').join('')
}

export const attribute = (element: Element, name: string): string | undefined =>
  element.hasAttribute(name) ? element.getAttribute(name)! : undefined

/** Refuses deep nesting, and comments and processing instructions unless allowed. */
function checkNodes(root: Element, comments: boolean): void {
  const waiting: [node: Node, depth: number][] = [[root, 1]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, depth] = next
    if (depth > SAML_DEPTH_MAX) throw new XmlError('elements are nested too deeply')
    if (node.nodeType === COMMENT && !comments) throw new XmlError('comments are not allowed')
    if (node.nodeType === INSTRUCTION && !comments) {
      throw new XmlError('processing instructions are not allowed')
    }
    for (const child of nodesIn(node)) waiting.push([child, depth + 1])
  }
}

/** Sections that may contain `<`, `>` and quotes, with their delimiters. */
const sections = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

/** End of a tag that starts at an index, and the number of its attributes. */
function tagAt(text: string, start: number): { end: number; attributes: string[] } {
  const attributes: string[] = []
  const next = /["'>]/g
  next.lastIndex = start
  let from = start
  for (let found = next.exec(text); found; found = next.exec(text)) {
    if (found[0] === '>') return { end: found.index, attributes }
    attributes.push(text.slice(from, found.index).trim())
    if (attributes.length > SAML_ATTRIBUTES_MAX) {
      throw new XmlError('an element has too many attributes')
    }
    const close = text.indexOf(found[0], found.index + 1)
    if (close < 0) break
    from = next.lastIndex = close + 1
  }
  throw new XmlError('the document is not well-formed')
}

/**
 * Refuses a document that would take the parser long, in one pass over its text: parsing time is
 * quadratic in the counts checked here.
 */
function checkShape(text: string, elementsMax: number): void {
  const prefixes = new Set<string>()
  let [elements, depth] = [0, 0]
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const section = sections.find(([begin]) => text.startsWith(begin, at))
    if (section) {
      const [begin, end] = section
      const close = text.indexOf(end, at + begin.length)
      if (close < 0) throw new XmlError('the document is not well-formed')
      at = close + end.length
      continue
    }
    const { end, attributes } = tagAt(text, at)
    if (text[at + 1] === '/') depth--
    else {
      elements++
      if (text[end - 1] !== '/') depth++
    }
    if (elements > elementsMax) throw new XmlError('there are too many elements')
    if (depth > SAML_DEPTH_MAX) throw new XmlError('elements are nested too deeply')
    for (const attribute of attributes) {
      const prefix = /xmlns(?::([^\s=]*))?\s*=$/.exec(attribute.slice(-200))
      if (prefix) prefixes.add(prefix[1] ?? '')
    }
    if (prefixes.size > SAML_PREFIXES_MAX) throw new XmlError('there are too many namespaces')
    at = end + 1
  }
}

interface Reading {
  /** Whether comments and processing instructions are allowed in the document. */
  comments: boolean
  /** Maximum number of elements. */
  elements: number
}

/**
 * The root element of a document.
 * @throws XmlError
 */
export function parseXml(text: string, { comments, elements }: Reading): Element {
  // Entities can be declared nowhere else, so none can be expanded or fetched.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new XmlError('document types are not allowed')
  checkShape(text, elements)
  if (/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text)) {
    throw new XmlError('there are characters that XML does not have')
  }
  const refuse = () => {
    throw new XmlError('the document is not well-formed')
  }
  let root: Element | null | undefined
  try {
    const parser = new DOMParser({
      errorHandler: { warning: refuse, error: refuse, fatalError: refuse },
    })
    root = parser.parseFromString(text, 'text/xml')?.documentElement
  } catch {
    refuse()
  }
  if (!root) throw new XmlError('the document is not well-formed')
  const outside = nodesIn(root.ownerDocument).filter((node) => node !== root)
  for (const { nodeType, nodeName } of outside) {
    const declaration = nodeType === INSTRUCTION && nodeName === 'xml'
    if (nodeType === COMMENT || (nodeType === INSTRUCTION && !declaration)) {
      if (!comments) throw new XmlError('comments are not allowed')
    } else if (nodeType !== TEXT && !declaration) throw new XmlError('there is more than a root')
  }
  checkNodes(root, comments)
  return root
}
