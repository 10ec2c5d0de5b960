/** The package has no types; these cover its use in the tests. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  // oxlint-disable-next-line sendwright/exports -- the package exports it so
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    Grant: new (about: { clientId: string; accountId: string }) => {
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
  }

  export const interactionPolicy: {
    base: () => object[] & { add: (prompt: object) => void }
    Prompt: new (about: { name: string; requestable: boolean }) => object
  }
}
