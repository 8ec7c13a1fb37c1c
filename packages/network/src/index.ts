/** The network as a pure model: what its rows mean for every packet. See README.md. */
export * from './ask.ts'
export { compile } from './compile.ts'
export { allowedPorts, decide, tried } from './firewall.ts'
export type * from './model.ts'
export * from './rows.ts'
export { chooseRoute, considered } from './routes.ts'
export * from './selection.ts'
export { follow, type Hop, type Walk } from './walk.ts'
