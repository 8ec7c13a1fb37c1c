#!/usr/bin/env node
/**
 * Entry point of the package, `steading`. Plain JavaScript of 2020, so that an old Node can find
 * the newer one that npm installed beside it.
 */
import * as nodeModule from 'node:module'
import { withSuitableNode } from './suitable-node.mjs'

/** Node from the package `@steading/runtime`, which npm installs only for an old Node. */
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
