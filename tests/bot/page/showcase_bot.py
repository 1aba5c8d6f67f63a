"""A small bot without a game that uses everything that the page must show."""

from __future__ import annotations

import asyncio
import io

import discord
from discord import app_commands

from tests.bot.local.conftest import make_png, store_view

BLUE = b"\x56\xb4\xe9"
FISH = ("Cod", "Herring", "Mackerel", "Plaice")
HOSTILE_TEXT = "<img src=x onerror=\"document.title='hit'\"><script>document.title='hit'</script> **bold**"


class LogBookForm(discord.ui.Modal, title="Log book"):
    """A modal with a text, a radio group and a checkbox group; everybody sees the response."""

    entry: discord.ui.Label[LogBookForm] = discord.ui.Label(
        text="Entry", description="What happened today", component=discord.ui.TextInput(max_length=100)
    )
    sea: discord.ui.Label[LogBookForm] = discord.ui.Label(
        text="Sea",
        component=discord.ui.RadioGroup(
            options=[
                discord.RadioGroupOption(label="Calm", value="calm", default=True),
                discord.RadioGroupOption(label="Rough", value="rough", description="Waves over two metres"),
            ]
        ),
    )
    seen: discord.ui.Label[LogBookForm] = discord.ui.Label(
        text="Seen",
        component=discord.ui.CheckboxGroup(
            required=False,
            options=[
                discord.CheckboxGroupOption(label="Whale", value="whale"),
                discord.CheckboxGroupOption(label="Seal", value="seal", default=True),
            ],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Say what was written and chosen."""
        written, sea, seen = self.entry.component, self.sea.component, self.seen.component
        assert isinstance(written, discord.ui.TextInput)
        assert isinstance(sea, discord.ui.RadioGroup)
        assert isinstance(seen, discord.ui.CheckboxGroup)
        text = f"Logged: {written.value}, {sea.value}, {' and '.join(seen.values)}"
        await interaction.response.send_message(text)


class Controls(discord.ui.View):
    """Buttons for each kind of response, and a select."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.count = 0

    @discord.ui.button(label="Count", style=discord.ButtonStyle.success)
    async def count_up(self, interaction: discord.Interaction, _: discord.ui.Button[Controls]) -> None:
        """Edit the message that carries the button."""
        self.count += 1
        await interaction.response.edit_message(content=f"Counted {self.count}")

    @discord.ui.button(label="Secret")
    async def answer_privately(
        self, interaction: discord.Interaction, _: discord.ui.Button[Controls]
    ) -> None:
        """Answer privately."""
        await interaction.response.send_message("The chart is under the mast.", ephemeral=True)

    @discord.ui.button(label="Write")
    async def open_form(self, interaction: discord.Interaction, _: discord.ui.Button[Controls]) -> None:
        """Open a dialog."""
        await interaction.response.send_modal(store_view(interaction, LogBookForm()))

    @discord.ui.button(label="Letter")
    async def send_dm(self, interaction: discord.Interaction, _: discord.ui.Button[Controls]) -> None:
        """Write to the person who pressed, and keep quiet here."""
        await interaction.response.defer()
        await interaction.user.send("A letter for you alone.")

    @discord.ui.button(label="Stuck", style=discord.ButtonStyle.danger)
    async def never_answer(self, _: discord.Interaction, __: discord.ui.Button[Controls]) -> None:
        """Never answer."""

    @discord.ui.select(
        placeholder="Which wind?",
        options=[
            discord.SelectOption(label="North", value="n", description="cold"),
            discord.SelectOption(label="South", value="s", description="warm"),
            discord.SelectOption(label="West", value="w"),
        ],
        max_values=2,
    )
    async def wind(self, interaction: discord.Interaction, chosen: discord.ui.Select[Controls]) -> None:
        """Say what was chosen, in the message itself."""
        await interaction.response.edit_message(content=f"Wind: {', '.join(chosen.values)}")


class ShowcaseBot(discord.Client):
    """A client with the commands `/fish`, `/hostile` and `/chart`."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.ready = asyncio.Event()
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(fish)
        self.tree.add_command(hostile)
        self.tree.add_command(chart)

    async def setup_hook(self) -> None:
        """Register the commands."""
        await self.tree.sync()

    async def on_ready(self) -> None:
        """Let the tests know that the bot is ready."""
        self.ready.set()


@app_commands.command(description="Land a fish")
@app_commands.describe(kind="Which fish", number="How many")
async def fish(
    interaction: discord.Interaction, kind: str, number: app_commands.Range[int, 1, 9] = 1
) -> None:
    """Post a message with all controls."""
    view = store_view(interaction, Controls())
    await interaction.response.send_message(f"Landed {number} {kind}", view=view)


@fish.autocomplete("kind")
async def fish_kinds(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Suggest fish whose names contain what was typed."""
    return [app_commands.Choice(name=name, value=name) for name in FISH if typed.lower() in name.lower()]


@app_commands.command(description="Try to break the page")
async def hostile(interaction: discord.Interaction) -> None:
    """Post markup in every field that takes text."""
    embed = discord.Embed(title=HOSTILE_TEXT[:200], description=HOSTILE_TEXT)
    embed.add_field(name=HOSTILE_TEXT[:200], value=HOSTILE_TEXT)
    button: discord.ui.Button[discord.ui.View] = discord.ui.Button(label="<b>x</b>", custom_id="<b>")
    view = discord.ui.View(timeout=None)
    view.add_item(button)
    text = HOSTILE_TEXT + ' [go](javascript:alert(1)) [go](https://example.org/"onclick=alert(1))'
    await interaction.response.send_message(text, embed=embed, view=view)


class Chart(discord.ui.LayoutView):
    """A picture in a container, by components of version 2."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        picture = discord.ui.MediaGallery[Chart](
            discord.MediaGalleryItem("attachment://chart.png", description=CHART_ALT_TEXT)
        )
        self.add_item(
            discord.ui.Container[Chart](discord.ui.TextDisplay("## Chart"), picture, accent_colour=0xE69F00)
        )


CHART_ALT_TEXT = "Blue water as far as the chart goes."


@app_commands.command(description="Show the chart")
@app_commands.describe(plain="As a plain attachment")
async def chart(interaction: discord.Interaction, plain: bool = False) -> None:  # noqa: FBT001, FBT002 - a command's option
    """Post the picture in either way."""
    file = discord.File(io.BytesIO(make_png(400, 300, BLUE)), "chart.png", description=CHART_ALT_TEXT)
    if plain:
        await interaction.response.send_message("The chart", file=file)
    else:
        await interaction.response.send_message(file=file, view=Chart())
