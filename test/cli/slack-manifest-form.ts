import { Ajv } from "ajv";

const text = (maxLength: number, pattern?: string) => ({ type: "string", minLength: 1, maxLength, ...(pattern && { pattern }) });
const flag = { type: "boolean" };
const url = (maxLength: number) => text(maxLength, "^https://");
const list = (items: object, maxItems: number, minItems = 0) => ({ type: "array", items, minItems, maxItems });
/** An object with these fields and no others. */
const only = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const form = only(
  {
    _metadata: only({ major_version: { const: 2 }, minor_version: { type: "integer" } }),
    display_information: only(
      {
        name: text(35),
        description: text(140),
        background_color: text(7, "^#[0-9a-f]{6}$"),
        long_description: { ...text(4000), minLength: 175 },
      },
      ["name"],
    ),
    features: only({
      app_home: only({ home_tab_enabled: flag, messages_tab_enabled: flag, messages_tab_read_only_enabled: flag }),
      bot_user: only({ display_name: text(80), always_online: flag }, ["display_name"]),
      agent_view: only({
        agent_description: text(300),
        suggested_prompts: list(only({ title: text(80), message: text(1000) }, ["title", "message"]), 4),
        actions: list(only({ name: text(80), description: text(300) }, ["name", "description"]), 50),
      }),
      shortcuts: list(
        only({ name: text(24), type: { enum: ["message", "global"] }, callback_id: text(255), description: text(150) }, [
          "name",
          "type",
          "callback_id",
          "description",
        ]),
        10,
        1,
      ),
      slash_commands: list(
        only({ command: text(32, "^/"), url: url(3000), description: text(2000), usage_hint: text(1000), should_escape: flag }, [
          "command",
          "description",
        ]),
        50,
        1,
      ),
    }),
    oauth_config: only({
      redirect_urls: { ...list(text(2500), 1000), uniqueItems: true },
      scopes: only({ bot: list(text(50), 255), bot_optional: list(text(50), 255) }),
    }),
    settings: only({
      event_subscriptions: only({ request_url: url(3500), bot_events: { ...list(text(50), 100), uniqueItems: true } }),
      interactivity: only({ is_enabled: flag, request_url: url(3500), message_menu_options_url: url(3500) }, ["is_enabled"]),
      org_deploy_enabled: flag,
      socket_mode_enabled: flag,
      token_rotation_enabled: flag,
    }),
  },
  ["display_information"],
);

const validate = new Ajv({ allErrors: true }).compile(form);

/** What Slack would refuse in a manifest, as far as Footnote's has such parts (fields and limits of Slack's schema 2.0.0). */
export function complaints(manifest: unknown): string[] {
  validate(manifest);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
