import type { WordChar } from './pattern.ts'

/** A word of a command line, with variables expanded and quotes removed. */
export type Word = WordChar[]

export interface Command {
  words: Word[]
  input?: Word
  /** Target of redirected output. */
  output?: Word
}

export interface Pipeline {
  commands: Command[]
  /** Condition of running it, by the result of the previous one. */
  runs: 'always' | 'after success' | 'after failure'
}

export class SyntaxProblem extends Error {}

type Token = { word: Word } | { sign: string }

/** Unquoted, a backslash before other characters is kept: `printf one\n` is often typed. */
const escapable = ' \t"\'\\$|&;<>*?#'

/** @param value returns the value of a variable */
function tokensOf(line: string, value: (name: string) => string): Token[] {
  const tokens: Token[] = []
  const chars = [...line]
  let word: Word | undefined
  const push = (text: string, quoted: boolean) => {
    word ??= []
    for (const char of text) word.push({ char, quoted })
  }
  const endWord = () => {
    if (word) tokens.push({ word })
    word = undefined
  }
  let at = 0
  /** Expands the variable at a dollar sign. */
  const expand = (quoted: boolean) => {
    const name = /^(\w+|\?|\$)/.exec(chars.slice(at + 1, at + 65).join(''))?.[0]
    if (name === undefined) push('$', true)
    else push(value(name), quoted)
    at += name?.length ?? 0
  }
  for (; at < chars.length; at++) {
    const char = chars[at]!
    const next = chars[at + 1]
    if (char === ' ' || char === '\t') {
      endWord()
    } else if (char === '#' && !word) {
      break
    } else if (char === "'" || char === '"') {
      word ??= []
      for (at++; chars[at] !== char; at++) {
        const inside = chars[at]
        if (inside === undefined) throw new SyntaxProblem('unterminated quoted string')
        if (char === '"' && inside === '$') expand(true)
        else if (char === '"' && inside === '\\' && '"\\$'.includes(chars[at + 1] ?? ' ')) {
          push(chars[++at]!, true)
        } else push(inside, true)
      }
    } else if (char === '\\') {
      if (next !== undefined && escapable.includes(next)) push(chars[++at]!, true)
      else push('\\', true)
    } else if (char === '$') {
      expand(false)
    } else if ('|&;<>'.includes(char)) {
      // Standard error is not separate from other output.
      const ofErrors = char === '>' && word?.length === 1 && word[0]!.char === '2'
      if (ofErrors) word = undefined
      endWord()
      let sign = char
      while (next === char && sign.length < 2) sign += chars[++at]!
      if (ofErrors && chars[at + 1] === '&') at += 2
      else tokens.push({ sign: ofErrors ? '2>' : sign })
    } else push(char, false)
  }
  endWord()
  return tokens
}

const runsAfter: Record<string, Pipeline['runs']> = {
  ';': 'always',
  '&&': 'after success',
  '||': 'after failure',
}

/** @throws SyntaxProblem */
export function parseLine(line: string, value: (name: string) => string): Pipeline[] {
  const tokens = tokensOf(line, value)
  const pipelines: Pipeline[] = []
  let command: Command = { words: [] }
  let pipeline: Pipeline = { commands: [command], runs: 'always' }
  const unexpected = (sign?: string) =>
    new SyntaxProblem(sign === undefined ? 'unexpected end of line' : `unexpected "${sign}"`)
  const closed = () => command.words.length > 0
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    if ('word' in token) {
      command.words.push(token.word)
      continue
    }
    const { sign } = token
    const runs = runsAfter[sign]
    if (runs) {
      if (!closed()) throw unexpected(sign)
      pipelines.push(pipeline)
      command = { words: [] }
      pipeline = { commands: [command], runs }
    } else if (sign === '|') {
      if (!closed()) throw unexpected(sign)
      pipeline.commands.push((command = { words: [] }))
    } else if (['<', '>', '>>', '2>', '2>>'].includes(sign)) {
      const target = tokens[++at]
      if (!target || !('word' in target)) throw unexpected(target?.sign)
      if (sign === '<') command.input = target.word
      else if (!sign.startsWith('2')) command.output = target.word
    } else throw unexpected(sign)
  }
  if (closed()) pipelines.push(pipeline)
  else if (pipeline.runs === 'after success' || pipeline.runs === 'after failure')
    throw unexpected()
  else if (pipeline.commands.length > 1 || command.output || command.input) throw unexpected()
  return pipelines
}
