// A definition file as YAML that `octavo apply` reads: a property is one line.
import type { DefinitionFile } from '@octavo/protocol'
import { Document, isMap, isPair, isScalar, isSeq, type YAMLMap } from 'yaml'

export interface DefinitionComments {
  /** At the top of the file. */
  readonly file?: string
  /** Behind the primary key, and behind the title. */
  readonly primaryKey?: string
  readonly titleProperty?: string
  readonly ontology?: string
  /** Behind each property. */
  readonly properties?: ReadonlyMap<string, string>
}

const schemaComment =
  ' yaml-language-server: $schema=https://unpkg.com/@octavo/cli/definition-file.schema.json'

export function writeDefinitionFile(content: DefinitionFile, comments: DefinitionComments = {}): string {
  const document = new Document(content)
  document.commentBefore = [schemaComment, ...(comments.file ?? '').split('\n').map((line) => ` ${line}`)]
    .filter((line) => line.trim() !== '')
    .join('\n')
  if (isMap(document.contents)) {
    const types = document.contents.get('objectTypes', true)
    if (isSeq(types)) for (const type of types.items) if (isMap(type)) layType(type, comments)
    const ontology = document.contents.get('ontology', true)
    if (isMap(ontology)) {
      flow(ontology, 'apiFamilies')
      comment(ontology, 'apiName', comments.ontology)
    }
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}

function layType(type: YAMLMap, comments: DefinitionComments): void {
  comment(type, 'primaryKey', comments.primaryKey)
  comment(type, 'titleProperty', comments.titleProperty)
  const properties = type.get('properties', true)
  if (isMap(properties)) {
    for (const { key } of properties.items) {
      if (!isScalar(key)) continue
      const name = String(key.value)
      flow(properties, name)
      comment(properties, name, comments.properties?.get(name))
    }
  }
  const orders = type.get('orders', true)
  if (isSeq(orders)) for (const order of orders.items) if (isSeq(order)) order.flow = true
}

function flow(map: YAMLMap, name: string): void {
  const node = map.get(name, true)
  if (isMap(node) || isSeq(node)) node.flow = true
}

function comment(map: YAMLMap, name: string, text: string | undefined): void {
  const pair = map.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === name)
  const node = pair?.value
  if (text !== undefined && text !== '' && (isMap(node) || isScalar(node))) node.comment = ` ${text}`
}
