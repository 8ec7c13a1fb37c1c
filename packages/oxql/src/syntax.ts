/** The language without its evaluation: for editors and query builders. */
export * from './syntax/ast.ts'
export { completionAt, type Completion } from './syntax/complete.ts'
export { describe, type Expectation } from './syntax/expectation.ts'
export { highlight, type Highlight } from './syntax/highlight.ts'
export { ParseError } from './syntax/parse-error.ts'
export { type Inputs, parse } from './syntax/parser.ts'
export {
  print,
  printExpression,
  printLiteral,
  printOperation,
  printString,
} from './syntax/print.ts'
export { type Token, tokenize } from './syntax/tokens.ts'
export { EmptyInputError, QueryError } from './query-error.ts'
export { fillVariables, maskVariables, variablesOf } from './syntax/variables.ts'
