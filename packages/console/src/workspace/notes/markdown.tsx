import MarkdownIt, { type Token } from 'markdown-it'
import { createElement, type ReactNode } from 'react'

const markdown = new MarkdownIt({ html: false, linkify: true })

/** Elements that a note may have. Headings begin below those of the page. */
const elements: Record<string, string> = {
  p: 'p',
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  blockquote: 'blockquote',
  hr: 'hr',
  br: 'br',
  strong: 'strong',
  em: 'em',
  s: 's',
  table: 'table',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
}

/** Links lead to pages and addresses of mail only, and do not tell where they were pressed. */
const isSafe = (href: string): boolean => /^(https?:\/\/|mailto:|\/(?!\/))/i.test(href)

function Link({ href, children }: { href: string | null; children: ReactNode }) {
  if (!href || !isSafe(href)) return children
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

/** A token that contains nothing; other kinds of tokens are shown as the text they were. */
function leaf(token: Token, key: number): ReactNode {
  const { type, content, children } = token
  switch (type) {
    case 'inline':
      return nodesOf(children ?? [])
    case 'softbreak':
      return '\n'
    case 'code_inline':
      return <code key={key}>{content}</code>
    case 'fence':
    case 'code_block':
      return (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it may scroll
        <pre key={key} tabIndex={0}>
          <code>{content}</code>
        </pre>
      )
    // An image would tell its server who reads the note.
    case 'image':
      return (
        <Link key={key} href={token.attrGet('src')}>
          {content || 'image'}
        </Link>
      )
    case 'hr':
    case 'hardbreak':
      return createElement(type === 'hr' ? 'hr' : 'br', { key })
    default:
      return content
  }
}

/** The React nodes of a flat list of tokens, in which elements are opened and closed. */
function nodesOf(tokens: readonly Token[]): ReactNode[] {
  const open: { token?: Token; nodes: ReactNode[] }[] = [{ nodes: [] }]
  for (const [index, token] of tokens.entries()) {
    if (token.nesting === 1) {
      open.push({ token, nodes: [] })
      continue
    }
    const node = token.nesting === 0 ? leaf(token, index) : close(open.pop()!, index)
    open.at(-1)!.nodes.push(node)
  }
  return open[0]!.nodes
}

function close({ token, nodes }: { token?: Token; nodes: ReactNode[] }, key: number): ReactNode {
  if (!token || token.hidden) return nodes
  if (token.tag === 'a') {
    return (
      <Link key={key} href={token.attrGet('href')}>
        {nodes}
      </Link>
    )
  }
  const element = elements[token.tag]
  const start = token.tag === 'ol' ? Number(token.attrGet('start') ?? 1) : undefined
  return element ? createElement(element, { key, start }, ...nodes) : nodes
}

/** Markdown as elements. It never becomes HTML, so nothing in it can run. */
export const Markdown = ({ text }: { text: string }) => (
  <div className="markdown">{nodesOf(markdown.parse(text, {}))}</div>
)
