#!/usr/bin/env node
/**
 * The entry of the package, `steading`. Plain JavaScript of 2020, so that an old Node gets as far as
 * the one that npm installs beside it.
 */
import * as nodeModule from 'node:module'
import { withSuitableNode } from './suitable-node.mjs'

/** The Node of the package `@steading/runtime`, which npm installs only for an old one. */
function installedNode() {
  try {
    const runtime = nodeModule
      .createRequire(import.meta.url)
      .resolve('@steading/runtime/package.json')
    const name = `node-linux-${process.arch}/bin/node`
    return nodeModule.createRequire(runtime).resolve(name)
  } catch {
    return undefined
  }
}

const main = new URL('../server/main.js', import.meta.url)
withSuitableNode(() => import(main.href), installedNode)
