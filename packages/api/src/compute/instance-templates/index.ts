/** Templates of instances, for the control plane and for the pages of the console about them. */
export * from './fill.ts'
export * from './from-instance.ts'
