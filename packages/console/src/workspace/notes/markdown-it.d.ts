/** The parts of markdown-it that notes use. */
declare module 'markdown-it' {
  export interface Token {
    type: string
    tag: string
    /** 1 opens an element, -1 closes it, and 0 is whole. */
    nesting: 1 | 0 | -1
    content: string
    children: Token[] | null
    hidden: boolean
    attrGet: (name: string) => string | null
  }
  export default class MarkdownIt {
    constructor(options: { html: false; linkify: boolean })
    parse(text: string, environment: object): Token[]
  }
}
