import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { type Loc, literal, missing, Problems, type Reader, text } from '../fastapi/pydantic.ts';

/*
 * The request model's union of message types, member by member in its order (openai's TypedDicts, vLLM's custom message, and
 * harmony's). One member has to fit; when none does, every member's problems are reported.
 */

interface Field {
  name: string;
  required: boolean;
  read: Reader<Json>;
}
type Member = { name: string; fields: readonly Field[] } | { name: string; harmony: true };

const role = (value: string): Field => ({ name: 'role', required: true, read: literal(value) });
const textField = (name: string, required: boolean): Field => ({ name, required, read: text });

/** Content as text or as something iterable; the parts themselves are looked at by the template step. */
function content(iterable: string, { required, nullable }: { required: boolean; nullable: boolean }): Field {
  const read: Reader<Json> = (value, loc, problems) => {
    if (typeof value === 'string' || Array.isArray(value) || isObject(value)) return value;
    if (value === null && nullable) return value;
    problems.add('string_type', [...loc, 'str'], 'Input should be a valid string', value);
    const [type, msg] = iterable.startsWith('list[')
      ? ['list_type', 'Input should be a valid list']
      : ['iterable_type', 'Input should be iterable'];
    return problems.add(type, [...loc, iterable], msg, value);
  };
  return { name: 'content', required, read };
}

const CUSTOM_PARTS =
  'list[union[...,...,...,...,ChatCompletionContentPartAudioParam,ChatCompletionContentPartVideoParam,...,' +
  'CustomChatCompletionContentPILImageParam,CustomChatCompletionContentSimpleImageParam,' +
  'ChatCompletionContentPartImageEmbedsParam,ChatCompletionContentPartAudioEmbedsParam,' +
  'ChatCompletionContentPartPromptEmbedsParam,CustomChatCompletionContentSimpleAudioParam,' +
  'CustomChatCompletionContentSimpleVideoParam,CustomChatCompletionContentToolReferenceParam,str,' +
  'CustomThinkCompletionContentParam]]';
const GENERATOR = 'generator[...]';
const always = { required: true, nullable: false };
const nullableText: Reader<Json> = (value, loc, problems) =>
  value === null ? value : text(value, loc, problems);

const MEMBERS: readonly Member[] = [
  { name: 'ChatCompletionDeveloperMessageParam', fields: [content(GENERATOR, always), role('developer')] },
  { name: 'ChatCompletionSystemMessageParam', fields: [content(GENERATOR, always), role('system')] },
  {
    name: 'ChatCompletionUserMessageParam',
    fields: [content('generator[union[...,...,...,...]]', always), role('user')],
  },
  {
    name: 'ChatCompletionAssistantMessageParam',
    fields: [role('assistant'), content('generator[union[...,...]]', { required: false, nullable: true })],
  },
  {
    name: 'ChatCompletionToolMessageParam',
    fields: [content(GENERATOR, always), role('tool'), textField('tool_call_id', true)],
  },
  {
    name: 'ChatCompletionFunctionMessageParam',
    fields: [
      { name: 'content', required: true, read: nullableText },
      textField('name', true),
      role('function'),
    ],
  },
  {
    name: 'CustomChatCompletionMessageParam',
    fields: [textField('role', true), content(CUSTOM_PARTS, { required: false, nullable: false })],
  },
  { name: 'Message', harmony: true },
];

/** One message; extra keys survive, which is how ids ride on messages. */
export const message: Reader<JsonObject> = (value, loc, problems) => {
  const all: JsonObject[] = [];
  for (const member of MEMBERS) {
    const own = new Problems();
    check(member, value, [...loc, member.name], own);
    if (own.details.length === 0 && isObject(value)) return value;
    all.push(...own.details);
  }
  problems.details.push(...all);
  return undefined;
};

function check(member: Member, value: Json, loc: Loc, problems: Problems): void {
  if ('harmony' in member) harmony(value, loc, problems);
  else if (isObject(value)) checkFields(member.fields, value, loc, problems);
  else problems.add('dict_type', loc, 'Input should be a valid dictionary', value);
}

function checkFields(fields: readonly Field[], value: JsonObject, loc: Loc, problems: Problems): void {
  for (const { name, required, read } of fields) {
    const found = value.get(name);
    if (found !== undefined) read(found, [...loc, name], problems);
    else if (required) missing(problems, [...loc, name], value);
  }
}

/** gpt-oss's message model, the last member: it wants an author and a list of contents, which no chat client sends. */
function harmony(value: Json, loc: Loc, problems: Problems): void {
  if (!isObject(value)) {
    const msg = 'Input should be a valid dictionary or object to extract fields from';
    problems.add('model_attributes_type', loc, msg, value);
    return;
  }
  if (!value.has('author')) missing(problems, [...loc, 'author'], value);
  const contents = value.get('content');
  if (contents === undefined) missing(problems, [...loc, 'content'], value);
  else if (!Array.isArray(contents)) {
    problems.add('list_type', [...loc, 'content'], 'Input should be a valid list', contents);
  }
}
