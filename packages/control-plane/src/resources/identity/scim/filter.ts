/**
 * The grammar of filters and of the paths of PATCH (RFC 7644, sections 3.4.2.2 and 3.5.2). Names of
 * attributes and operators are case-insensitive.
 */
import { SCIM_FILTER_DEPTH, SCIM_FILTER_TERMS, type ScimType } from '@steading/api/rules'
import { bad } from './errors.ts'

export const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof comparisons)[number]
export type ComparedValue = string | number | boolean | null

/** An attribute, perhaps with its schema and a sub-attribute. */
export interface AttributePath {
  schema?: string
  name: string
  sub?: string
}

export type Filter =
  | { kind: 'compare'; path: AttributePath; operator: Comparison; value: ComparedValue }
  | { kind: 'present'; path: AttributePath }
  | { kind: 'and' | 'or'; left: Filter; right: Filter }
  | { kind: 'not'; filter: Filter }
  /** Some value of the attribute matches the inner filter. */
  | { kind: 'some'; path: AttributePath; filter: Filter }

/** The target of a PATCH: an attribute, some of its values, or a part of either. */
export interface TargetPath extends AttributePath {
  filter?: Filter
}

const attributeName = '\\$?[a-z][\\w-]*'
const attribute = new RegExp(`^(${attributeName})(?:\\.(${attributeName}))?$`, 'i')

/** @returns undefined for a text that is no path */
export function attributePathOf(text: string): AttributePath | undefined {
  const colon = /^urn:/i.test(text) ? text.lastIndexOf(':') : -1
  const match = attribute.exec(text.slice(colon + 1))
  if (!match) return undefined
  return {
    ...(colon > 0 ? { schema: text.slice(0, colon) } : {}),
    name: match[1]!,
    ...(match[2] ? { sub: match[2] } : {}),
  }
}

/** Reads a text from left to right. */
class Reader {
  readonly #text: string
  readonly #problem: ScimType
  #at = 0
  #depth = 0
  #terms = 0

  /** @param problem the error type for a text that cannot be parsed */
  constructor(text: string, problem: ScimType) {
    this.#text = text
    this.#problem = problem
  }

  #fail(wanted: string): never {
    throw bad(this.#problem, `Expected ${wanted} at position ${this.#at + 1}`)
  }

  /** Consumes the match of a sticky expression at the current position. */
  #take(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #spaces(): void {
    this.#take(/ */y)
  }

  #word(...words: readonly string[]): string | undefined {
    const before = this.#at
    const found = this.#take(/[a-z]+/iy)?.toLowerCase()
    if (found !== undefined && words.includes(found)) return found
    this.#at = before
    return undefined
  }

  end(): void {
    if (this.#at < this.#text.length) this.#fail('the end')
  }

  /** Enters one level of nesting. */
  #inside<T>(read: () => T): T {
    if (++this.#depth > SCIM_FILTER_DEPTH) throw bad(this.#problem, 'The filter is nested too deep')
    const result = read()
    this.#depth--
    return result
  }

  attributePath(): AttributePath {
    const before = this.#at
    const path = attributePathOf(this.#take(/[\w$.:-]+/y) ?? '')
    if (path) return path
    this.#at = before
    return this.#fail('an attribute')
  }

  #value(): ComparedValue {
    const found = this.#take(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/iy)
    if (found === undefined) return this.#fail('a value in JSON, with quotes around a text')
    try {
      return JSON.parse(/^["\d-]/.test(found) ? found : found.toLowerCase()) as ComparedValue
    } catch {
      this.#at -= found.length
      return this.#fail('a value in JSON')
    }
  }

  /** A filter in parentheses or brackets, after the opening one. */
  #enclosed(closing: RegExp, name: string): Filter {
    return this.#inside(() => {
      this.#spaces()
      const inner = this.filter()
      this.#spaces()
      if (!this.#take(closing)) this.#fail(name)
      return inner
    })
  }

  #term(): Filter {
    if (++this.#terms > SCIM_FILTER_TERMS) throw bad(this.#problem, 'The filter is too long')
    if (this.#take(/not *\(/iy)) {
      return { kind: 'not', filter: this.#enclosed(/\)/y, '")"') }
    }
    if (this.#take(/\(/y)) return this.#enclosed(/\)/y, '")"')
    const path = this.attributePath()
    if (this.#take(/\[/y)) {
      return { kind: 'some', path, filter: this.#enclosed(/\]/y, '"]"') }
    }
    if (!this.#take(/ +/y)) this.#fail('an operator')
    const operator = this.#word('pr', ...comparisons)
    if (!operator) return this.#fail('an operator')
    if (operator === 'pr') return { kind: 'present', path }
    if (!this.#take(/ +/y)) this.#fail('a value')
    return { kind: 'compare', path, operator: operator as Comparison, value: this.#value() }
  }

  /** Consumes the operator between two filters, with the spaces around it. */
  #joined(word: 'and' | 'or'): boolean {
    return this.#take(word === 'and' ? / +and +/iy : / +or +/iy) !== undefined
  }

  #all(): Filter {
    let left = this.#term()
    while (this.#joined('and')) left = { kind: 'and', left, right: this.#term() }
    return left
  }

  filter(): Filter {
    let left = this.#all()
    while (this.#joined('or')) left = { kind: 'or', left, right: this.#all() }
    return left
  }

  targetPath(): TargetPath {
    const path = this.attributePath()
    if (!this.#take(/\[/y)) return path
    if (path.sub) this.#fail('"[" after an attribute, not after a part of one')
    const filter = this.#enclosed(/\]/y, '"]"')
    const sub = this.#take(/\.\$?[a-z][\w-]*/iy)?.slice(1)
    return { ...path, filter, ...(sub ? { sub } : {}) }
  }
}

/** @throws ApiError 400 `invalidFilter` */
export function parseFilter(text: string): Filter {
  const reader = new Reader(text.trim(), 'invalidFilter')
  const filter = reader.filter()
  reader.end()
  return filter
}

/** @throws ApiError 400 `invalidPath` */
export function parsePath(text: string): TargetPath {
  const reader = new Reader(text.trim(), 'invalidPath')
  const path = reader.targetPath()
  reader.end()
  return path
}
