/**
 * Recursive descent parser of queries. It records everything acceptable at the furthest token:
 * error messages list these, and completion offers them.
 */
import { GROUP_DEPTH_MAX, LOGIC_DEPTH_MAX, QUERY_LENGTH_MAX, tooLong } from '../limits.ts'
import type { Comparison } from '../model.ts'
import { QueryError } from '../query-error.ts'
import {
  type Condition,
  type Duration,
  type Expression,
  type Literal,
  milliseconds,
  type Operation,
  type Query,
} from './ast.ts'
import { describe, type Expectation } from './expectation.ts'
import { ParseError } from './parse-error.ts'
import { type Token, tokenize } from './tokens.ts'

const comparisons: readonly Comparison[] = ['==', '!=', '>=', '>', '<=', '<', '~=']
const misplacedGet: Expectation = {
  kind: 'rule',
  text: 'every subquery must start with a `get` operation',
}
const onlyStrings: Expectation = {
  kind: 'rule',
  text: '~= comparison is only supported for string literals',
}

/** Operators from loosest to tightest binding. */
const logic = { or: '||', and: '&&', xor: '^' } as const
const tighter = { or: 'and', and: 'xor' } as const

/** Timeseries and fields available at a position. */
export interface Inputs {
  names: string[]
  /** After a `group_by`, only these fields remain. */
  fields?: string[]
}

export class Parser {
  private at = 0
  private expected: Expectation[] = []
  private depth = 0
  /** Inputs of the last operation that was started. */
  inputs: Inputs = { names: [] }
  private readonly text: string
  private readonly tokens: readonly Token[]

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text
    this.tokens = tokens
  }

  parse(): Query {
    const query = this.query(0)
    this.expect({ kind: 'end' }, ({ kind }) => kind === 'end')
    return query
  }

  /** Expected input at the rejected token. */
  get expectations(): readonly Expectation[] {
    return this.expected
  }

  /** The rejected token. */
  get token(): Token {
    return this.tokens[this.at]!
  }

  private get lastEnd(): number {
    return this.tokens[this.at - 1]!.end
  }

  private fail(...expected: Expectation[]): never {
    this.expected.push(...expected)
    const { start, problem } = this.token
    const texts = new Set(problem?.expected ? [problem.expected] : this.expected.map(describe))
    throw new ParseError(this.text, problem?.at ?? start, [...texts])
  }

  /** Fails with a reason that excludes other expectations. */
  private refuse(token: Token, ...expected: Expectation[]): never {
    this.at = this.tokens.indexOf(token)
    this.expected = []
    return this.fail(...expected)
  }

  private take(expectation: Expectation, fits: (token: Token) => boolean): Token | undefined {
    const { token } = this
    const taken = fits(token)
    if (taken && token.kind !== 'end') {
      this.at++
      this.expected = []
    } else {
      // Also records alternatives to the end, for completion.
      this.expected.push(expectation)
    }
    return taken ? token : undefined
  }

  private expect(expectation: Expectation, fits: (token: Token) => boolean): Token {
    return this.take(expectation, fits) ?? this.fail()
  }

  private takeSymbol(text: string, kind: 'symbol' | 'comparison' = 'symbol'): Token | undefined {
    return this.take({ kind, text }, (token) => token.kind === 'symbol' && token.text === text)
  }

  private expectSymbol(text: string): Token {
    return this.takeSymbol(text) ?? this.fail()
  }

  private takeWord<W extends string>(
    words: readonly W[],
    kind: 'operation' | 'function',
  ): W | undefined {
    for (const text of words) {
      if (this.take({ kind, text }, (token) => token.kind === 'word' && token.text === text)) {
        return text
      }
    }
    return undefined
  }

  private expectSpace(): void {
    if (!this.token.spaced && this.token.kind !== 'end') this.fail({ kind: 'space' })
  }

  private expectIdentifier(): Token {
    return this.expect({ kind: 'field' }, ({ kind }) => kind === 'word')
  }

  private query(depth: number): Query {
    const start = this.token.start
    const operations = [this.begin(depth)]
    while (this.takeSymbol('|')) operations.push(this.operation())
    return { start, end: this.lastEnd, operations }
  }

  /** The first operation, which produces tables. */
  private begin(depth: number): Operation {
    const { token } = this
    const { start } = token
    if (this.takeWord(['get'], 'operation')) {
      this.expectSpace()
      const name = this.expect({ kind: 'timeseries' }, ({ kind }) => kind === 'name').text
      this.inputs = { names: [name] }
      return { kind: 'get', start, end: this.lastEnd, name }
    }
    if (this.takeSymbol('{')) {
      if (depth === GROUP_DEPTH_MAX) {
        this.refuse(token, {
          kind: 'rule',
          text: `at most ${GROUP_DEPTH_MAX} groups in each other`,
        })
      }
      const queries: Query[] = []
      const names = new Set<string>()
      do {
        queries.push(this.query(depth + 1))
        for (const name of this.inputs.names) names.add(name)
      } while (this.takeSymbol(';'))
      this.expectSymbol('}')
      this.inputs = { ...this.inputs, names: [...names] }
      return { kind: 'group', start, end: this.lastEnd, queries }
    }
    if (isOperation(token)) this.refuse(token, misplacedGet)
    return this.fail()
  }

  private operation(): Operation {
    const { token } = this
    const { start } = token
    const kind = this.takeWord(
      ['filter', 'align', 'group_by', 'join', 'first', 'last'] as const,
      'operation',
    )
    if (!kind) {
      const begins = token.text === 'get' || token.text === '{'
      return begins ? this.refuse(token, misplacedGet) : this.fail()
    }
    if (kind === 'join') return { kind, start, end: this.lastEnd }
    this.expectSpace()
    switch (kind) {
      case 'filter': {
        const expression = this.logical('or')
        return { kind, start, end: this.lastEnd, expression }
      }
      case 'align': {
        const method =
          this.takeWord(['mean_within', 'interpolate'] as const, 'function') ?? this.fail()
        this.expectSymbol('(')
        const period = this.duration()
        this.expectSymbol(')')
        return { kind, start, end: this.lastEnd, method, period }
      }
      case 'group_by': {
        const fields = this.fields()
        const reducer = this.takeSymbol(',')
          ? (this.takeWord(['mean', 'sum'] as const, 'function') ?? this.fail())
          : 'mean'
        this.inputs = { ...this.inputs, fields }
        return { kind, start, end: this.lastEnd, fields, reducer }
      }
      default:
        return { kind, count: this.count(), start, end: this.lastEnd }
    }
  }

  private fields(): string[] {
    const fields: string[] = []
    this.expectSymbol('[')
    while (!this.takeSymbol(']')) {
      const identifier = this.take({ kind: 'field' }, ({ kind }) => kind === 'word')
      if (identifier && !fields.includes(identifier.text)) fields.push(identifier.text)
      if (this.takeSymbol(',')) continue
      this.expectSymbol(']')
      break
    }
    return fields
  }

  private duration(): Duration {
    const { literal } = this.expect({ kind: 'duration' }, ({ literal: found }) => {
      return found?.kind === 'duration' && milliseconds(found.value) > 0
    })
    return (literal as Literal & { kind: 'duration' }).value
  }

  private count(): number {
    const { literal } = this.expect({ kind: 'count' }, ({ literal: found }) => {
      return found?.kind === 'integer' && found.value > 0n
    })
    return Number((literal as Literal & { kind: 'integer' }).value)
  }

  private logical(kind: keyof typeof logic): Expression {
    const { start } = this.token
    const next = (): Expression => (kind === 'xor' ? this.factor() : this.logical(tighter[kind]))
    const operands = [next()]
    while (this.takeSymbol(logic[kind])) operands.push(next())
    return operands.length === 1 ? operands[0]! : { kind, start, end: this.lastEnd, operands }
  }

  private factor(): Expression {
    const { start } = this.token
    const not = this.takeSymbol('!')
    if (!not && !this.takeSymbol('(')) return this.condition()
    if (++this.depth > LOGIC_DEPTH_MAX) {
      throw new QueryError('Logical expression is too complicated to simplify')
    }
    const inner = not ? this.factor() : this.logical('or')
    this.depth--
    if (not) return { kind: 'not', start, end: this.lastEnd, operand: inner }
    this.expectSymbol(')')
    return inner
  }

  private condition(): Condition {
    const { start } = this.token
    const identifier = this.expectIdentifier().text
    const comparison = comparisons.find((text) => this.takeSymbol(text, 'comparison'))
    if (!comparison) return this.fail()
    const value = { kind: 'value', identifier, comparison } as const
    const { token } = this
    const literal = this.literal() ?? this.fail(value)
    if (comparison === '~=' && literal.kind !== 'string') this.refuse(token, onlyStrings)
    return { kind: 'comparison', start, end: this.lastEnd, identifier, comparison, literal }
  }

  private literal(): Literal | undefined {
    const { token } = this
    if (token.kind === 'word' && (token.text === 'true' || token.text === 'false')) {
      this.at++
      this.expected = []
      return { kind: 'boolean', value: token.text === 'true' }
    }
    const { literal } = token
    if (!literal) return undefined
    this.at++
    this.expected = []
    if (literal.kind !== 'timestamp' || literal.value.kind !== 'now') return literal
    const sign = this.takeSymbol('+') ? '+' : this.takeSymbol('-') ? '-' : undefined
    if (!sign) return literal
    const offset = this.expect({ kind: 'duration' }, (one) => one.literal?.kind === 'duration')
    const { value } = offset.literal as Literal & { kind: 'duration' }
    return { kind: 'timestamp', value: { kind: 'now', sign, offset: value } }
  }
}

const operations = ['filter', 'align', 'group_by', 'join', 'first', 'last']
const isOperation = ({ kind, text }: Token): boolean => kind === 'word' && operations.includes(text)

/**
 * @throws ParseError with the position and the expected input
 * @throws QueryError if the text is too long, or its logic nests too deep
 */
export function parse(text: string): Query {
  if (text.length > QUERY_LENGTH_MAX) throw new QueryError(tooLong)
  return new Parser(text, tokenize(text)).parse()
}
